import { run } from "./run.ts";

/** A disk of its own. */
export interface Disk {
  /** Where it is mounted. Every user may write to it. */
  readonly directory: string;
  /** Fills it. */
  fill(): Promise<void>;
  /** Makes room on it again. */
  free(): Promise<void>;
  /** Removes it with its files. */
  remove(): Promise<void>;
}

/**
 * Mounts a disk in memory.
 *
 * @param size Its size in MiB.
 * @returns The disk. The caller must remove it.
 */
export async function mountDisk(size: number): Promise<Disk> {
  const directory = await Deno.makeTempDir({ dir: "/tmp" });
  await run(...AS_ROOT, "mount", "-t", "tmpfs", "-o", `size=${size}m,mode=777`, "tmpfs", directory);
  return {
    directory,
    async fill() {
      // It ends when there is no space left.
      await new Deno.Command("dd", { args: ["if=/dev/zero", `of=${directory}/filler`, "bs=4k"], stderr: "null" })
        .output();
    },
    free: () => Deno.remove(`${directory}/filler`),
    async remove() {
      await run(...AS_ROOT, "umount", directory);
      await Deno.remove(directory, { recursive: true });
    },
  };
}

/** What a command begins with that only root may run. */
const AS_ROOT = Deno.uid() === 0 ? [] : ["sudo", "-n"];
