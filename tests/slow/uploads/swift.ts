import { freePort } from "../../support/free_port.ts";
import { until } from "../../support/until.ts";

/** OpenStack Swift with its S3 API, which verifies signatures of version 4. A test has started it. */
export interface Swift extends AsyncDisposable {
  /** The variables of the environment with which the SDK of AWS calls it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Whether its four servers are there: in Debian `swift-account`, `-container`, `-object` and `-proxy`. */
export const hasSwift: boolean = await new Deno.Command("swift-proxy-server", { args: ["--version"] }).output()
  .then(() => true, () => false);

const KINDS = ["account", "container", "object"] as const;

/**
 * Starts one server of each kind, with one directory for all data.
 *
 * @returns The servers, which are ready. The caller must dispose them.
 */
export async function startSwift(): Promise<Swift> {
  const directory = await Deno.makeTempDir();
  const port = freePort();
  const usual = `swift_dir = ${directory}\nbind_ip = 127.0.0.1\nworkers = 0\nuser = ${await userName()}`;
  const write = (name: string, text: string) => Deno.writeTextFile(`${directory}/${name}`, text);
  await Deno.mkdir(`${directory}/data/disk`, { recursive: true });
  await write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n");
  const ports = [port];
  for (const kind of KINDS) {
    const own = freePort();
    ports.push(own);
    const device = `r1z1-127.0.0.1:${own}/disk`;
    for (const args of [["create", "4", "1", "1"], ["add", device, "1"], ["rebalance"]]) {
      await finish("swift-ring-builder", [`${directory}/${kind}.builder`, ...args]);
    }
    await write(
      `${kind}.conf`,
      `[DEFAULT]\n${usual}\nbind_port = ${own}\ndevices = ${directory}/data\nmount_check = false\n` +
        `[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    );
  }
  await write(
    "proxy.conf",
    `[DEFAULT]\n${usual}\nbind_port = ${port}\n` +
      "[pipeline:main]\npipeline = catch_errors cache s3api tempauth slo proxy-server\n" +
      "[filter:catch_errors]\nuse = egg:swift#catch_errors\n[filter:cache]\nuse = egg:swift#memcache\n" +
      "[filter:s3api]\nuse = egg:swift#s3api\n[filter:slo]\nuse = egg:swift#slo\n" +
      "[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = testing .admin\n" +
      "[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n",
  );
  const children = [...KINDS, "proxy"].map((kind) =>
    new Deno.Command(`swift-${kind}-server`, {
      args: [`${directory}/${kind}.conf`],
      env: { SWIFT_DIR: directory },
      stdout: "null",
      stderr: "null",
    }).spawn()
  );
  const stop = async () => {
    for (const child of children) {
      try {
        child.kill("SIGKILL");
      } catch { /* it has ended */ }
    }
    await Promise.all(children.map(({ status }) => status));
    await Deno.remove(directory, { recursive: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  for (const each of ports) {
    const isReady = () =>
      Deno.connect({ hostname: "127.0.0.1", port: each }).then((it) => it.close()).then(() => true, () => false);
    await until(isReady, () => "Swift did not start").catch(async (error) => {
      await stop();
      throw error;
    });
  }
  return {
    env: {
      AWS_ENDPOINT_URL_S3: origin,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test:tester",
      AWS_SECRET_ACCESS_KEY: "testing",
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Swift changes to this user, by default to one that reads no files of a test. */
async function userName(): Promise<string> {
  return (await finish("id", ["-un"])).trim();
}

async function finish(program: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${text.decode(stdout)}${text.decode(stderr)}`);
  return text.decode(stdout);
}
