import { buildAssets } from './build-assets.ts'

await buildAssets()
