/** Takes a place for an address. Returns `undefined` if none is left: respond with 503. A place is given back once. */
export type TakePlace = (address: string) => Disposable | undefined;

/** Limits how much is done at once, in all and for one address, so that no client takes all of the places. */
export function createPlaces({ total, each }: { readonly total: number; readonly each: number }): TakePlace {
  const taken = new Map<string, number>();
  let all = 0;
  return (address) => {
    const own = taken.get(address) ?? 0;
    if (all >= total || own >= each) return undefined;
    const add = (change: number) => {
      all += change;
      const left = (taken.get(address) ?? 0) + change;
      if (left === 0) taken.delete(address);
      else taken.set(address, left);
    };
    add(1);
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (isTaken) add(-1);
        isTaken = false;
      },
    };
  };
}
