/** Secrets and settings that a deployment may do without. `wrangler types` knows those only that wrangler.toml requires. */
interface OptionalSecrets {
  /** Of the service's own bot: whoever has it set signs in inside the messenger. */
  readonly BOT_TOKEN?: string
  /** The keys whose signatures of init data are trusted: see `src/access/init-data/signature.ts`. */
  readonly INIT_DATA_PUBLIC_KEYS?: string
  /** Ports of webhooks that are allowed beside 443, with commas between. */
  readonly WEBHOOK_PORTS?: string
  /** Opens `/setup`, the page that creates the first account. */
  readonly SETUP_SECRET?: string
  /** Opens `GET /metrics`. */
  readonly METRICS_TOKEN?: string
  /** Where the platform keeps databases and objects (`npm run deploy -- --jurisdiction eu`); anywhere if it is not set. */
  readonly JURISDICTION?: DurableObjectJurisdiction
}

declare namespace Cloudflare {
  interface Env extends OptionalSecrets {}
}
interface Env extends OptionalSecrets {}
