/** What the stores of deliveries do: which instance sends webhooks to a receiver, and how far it has come. Types only. */

/** The state with which an instance continues to send to a receiver. */
export interface TakenDelivery {
  /** The id of the last message that was delivered; `null` before the first one. */
  readonly position: string | null;
}

/**
 * Keeps, for each receiver of webhooks, the instance that sends to it and the last message that was delivered. An
 * instance takes a receiver for some seconds, and renews this time. `deliveryStore` of `@fw/core/memory` makes one for
 * a single instance. Instances that share their receivers need one of `@fw/core/sqlite`, `/postgres` or `/redis`.
 */
export interface DeliveryStore {
  /**
   * Takes a receiver, or renews the time for which it is taken. Must be atomic: a receiver has one owner at a time.
   *
   * @param receiver The id of the receiver: at most 250 characters.
   * @param owner A random id of the instance.
   * @param seconds For how many seconds nobody else may take it, by the clock of the store.
   * @returns The state to continue with; `undefined` if another owner has the receiver.
   */
  take(
    receiver: string,
    owner: string,
    seconds: number,
  ): TakenDelivery | undefined | Promise<TakenDelivery | undefined>;
  /**
   * Notes that a message was delivered, unless another owner has taken the receiver meanwhile.
   *
   * @returns Whether it was noted.
   */
  advance(receiver: string, owner: string, position: string): boolean | Promise<boolean>;
  /** Lets others take the receiver at once, if it is still the owner's. */
  release(receiver: string, owner: string): void | Promise<void>;
  /** Forgets a receiver. Until then, the store keeps its last message. */
  remove(receiver: string): void | Promise<void>;
}
