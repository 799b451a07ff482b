import { type BuildOptions, build } from 'esbuild'

/** A plain script for a page; what it exports is in the variable `globalName`. */
export async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({ bundle: true, write: false, format: 'iife', ...options })
  return outputFiles?.[0]?.text ?? ''
}

/** The client of a page; `module` holds what it exports. */
export function bundleClient(): Promise<string> {
  return bundle({ entryPoints: ['src/client/index.ts'], globalName: 'module' })
}
