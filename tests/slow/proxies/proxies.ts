import { ROOT } from "../../support/server_process.ts";

/** A proxy that must not let anyone reach `/admin` and what is below it. */
export interface Proxy {
  readonly name: string;
  /** The Debian package. */
  readonly package: string;
  /** Its configuration. `lines` are those of `.github/manual/deployment.md` that reject ambiguous targets. */
  configure(port: number, upstream: number, directory: string, lines: string): string;
  /** The command that runs it in the foreground with that configuration. */
  command(file: string, directory: string, port: number): readonly [program: string, ...args: string[]];
}

const nginx = (name: string, protect: string, pass: string): Proxy => ({
  name,
  package: "nginx-light",
  configure: (port, upstream, directory, lines) => `
daemon off; master_process off; pid ${directory}/pid; error_log ${directory}/log crit;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${directory}/b; proxy_temp_path ${directory}/p; fastcgi_temp_path ${directory}/f;
  uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
  server {
    listen 127.0.0.1:${port};
    ${lines}
    ${protect}
    location / { proxy_pass http://127.0.0.1:${upstream}${pass}; proxy_set_header Host $http_host; }
  }
}`,
  command: (file, directory) => ["/usr/sbin/nginx", "-p", directory, "-c", file],
});

const LOCATIONS = "location = /admin { return 403; } location ^~ /admin/ { return 403; }";

/** The proxies, as their manuals configure them. */
export const PROXIES: readonly Proxy[] = [
  nginx("nginx, proxy_pass with a slash", LOCATIONS, "/"),
  nginx("nginx, proxy_pass without a path", LOCATIONS, ""),
  nginx(
    "nginx, a rule on $request_uri",
    `if ($request_uri ~ "^/admin(/secret)?/?(\\?|$)") { return 403; }`,
    "",
  ),
  {
    name: "HAProxy",
    package: "haproxy",
    configure: (port, upstream, _directory, lines) => `
defaults
  mode http
  timeout connect 2s
  timeout client 2s
  timeout server 2s
frontend front
  bind 127.0.0.1:${port}
  ${lines}
  http-request deny if { path /admin } or { path_beg /admin/ }
  default_backend back
backend back
  server one 127.0.0.1:${upstream}
`,
    command: (file) => ["/usr/sbin/haproxy", "-db", "-f", file],
  },
  {
    name: "Varnish",
    package: "varnish",
    configure: (_port, upstream, _directory, lines) =>
      `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${upstream}"; }
sub vcl_recv {
  ${lines}
  if (req.url ~ "^/admin(/secret)?(\\?|$)" || req.url ~ "^/admin/[^#]*$") { return (synth(403)); }
  return (pass);
}`,
    command: (
      file,
      directory,
      port,
    ) => [
      "/usr/sbin/varnishd",
      "-F",
      "-j",
      "none",
      "-a",
      `127.0.0.1:${port}`,
      "-f",
      file,
      "-n",
      directory,
      "-s",
      "malloc,8m",
    ],
  },
  {
    name: "Caddy",
    package: "caddy",
    configure: (port, upstream) =>
      `{
  admin off
  auto_https off
}
http://:${port} {
  @admin path /admin /admin/*
  respond @admin 403
  reverse_proxy 127.0.0.1:${upstream}
}`,
    command: (file) => ["/usr/bin/caddy", "run", "--config", file, "--adapter", "caddyfile"],
  },
  {
    name: "h2o",
    package: "h2o",
    configure: (port, upstream, directory, lines) => `
user: root
listen: { host: 127.0.0.1, port: ${port} }
pid-file: ${directory}/pid
hosts:
  default:
    paths:
      "/admin": { redirect: { status: 302, url: "/denied" } }
      "/":
        ${lines.replaceAll("\n", "\n        ")}
        proxy.reverse.url: "http://127.0.0.1:${upstream}/"
        proxy.preserve-host: ON
`,
    command: (file) => ["/usr/bin/h2o", "-c", file],
  },
  {
    name: "Apache",
    package: "apache2",
    configure: (port, upstream, directory, lines) => `
ServerRoot ${directory}
ServerName localhost
PidFile ${directory}/pid
DefaultRuntimeDir ${directory}
ErrorLog ${directory}/log
Listen 127.0.0.1:${port}
${
      ["mpm_event", "authz_core", "proxy", "proxy_http"].map((name) =>
        `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`
      ).join("\n")
    }
AllowEncodedSlashes NoDecode
${lines}
<Location "/admin">
  Require all denied
</Location>
ProxyPreserveHost On
ProxyPass "/" "http://127.0.0.1:${upstream}/" nocanon
`,
    command: (file) => ["/usr/sbin/apache2", "-X", "-f", file],
  },
];

/** A proxy that runs. */
export interface RunningProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * The lines of `.github/manual/deployment.md` that reject ambiguous targets.
 *
 * @param proxy The proxy.
 * @param document The text of the document.
 * @returns The lines; empty if it needs none.
 */
export function rejectingLines(proxy: Proxy, document: string): string {
  const language = LANGUAGES[proxy.name.replace(/,.*/, "")];
  const [, lines] = language === undefined
    ? []
    : new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``).exec(document) ?? [];
  if (language !== undefined && lines === undefined) throw new Error(`The manual has no lines for ${proxy.name}`);
  return lines ?? "";
}

/** The language of the lines for each proxy. Caddy needs none. */
const LANGUAGES: Readonly<Record<string, string>> = {
  nginx: "nginx",
  HAProxy: "haproxy",
  Varnish: "vcl",
  h2o: "yaml",
  Apache: "apache",
};

/** Starts a proxy in front of a server on this port of the loopback interface, and waits until it listens. */
export async function startProxy(proxy: Proxy, upstream: number, port: number, lines = ""): Promise<RunningProxy> {
  const directory = await Deno.makeTempDir();
  const file = `${directory}/configuration`;
  await Deno.writeTextFile(file, proxy.configure(port, upstream, directory, lines));
  const [program, ...args] = proxy.command(file, directory, port);
  const child = new Deno.Command(program, { args, cwd: ROOT, stdin: "null", stdout: "null", stderr: "piped" }).spawn();
  const errors = new Response(child.stderr).text();
  let ended: number | undefined;
  child.status.then(({ code }) => ended = code);
  while (!await isListening(port)) {
    if (ended !== undefined) throw new Error(`${proxy.name} ended: ${await errors}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await child.status;
      await errors;
      await Deno.remove(directory, { recursive: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}
