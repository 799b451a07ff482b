import UAParser from 'ua-parser-js'
import { toContextText } from '../base/text/text.ts'

/** What a browser's user agent tells of the device it runs on. */
export interface Device {
  readonly os: string | null
  readonly brand: string | null
  readonly model: string | null
}

export function parseDevice(userAgent: string): Device {
  const { os, device } = UAParser(userAgent)
  const { brand, model } = readBracket(userAgent) ?? { brand: device.vendor, model: device.model }
  return { os: toContextText(os.name), brand: toContextText(brand && toBrand(brand)), model: toModel(model) }
}

interface BrandAndModel {
  readonly brand?: string | undefined
  readonly model?: string | undefined
}

/** The messenger hides the device from web pages (`Android 14; K`) and names it in a bracket of its own. */
const BRACKET = /Telegram-Android\/\S+ \((.+?); Android [^;]*; SDK /

/** `Google Pixel 8 Pro`: manufacturer and model as Android has them, the manufacturer's first letter capital. */
function readBracket(userAgent: string): BrandAndModel | null {
  const name = BRACKET.exec(userAgent)?.[1]?.trim()
  return name ? splitName(name) : null
}

const COMPANY = 'mobile|mobility|communications?|technology|electronics|global|corporation|limited|ltd|inc|co'

/** The first word, with what makes a company of it; a few brands have two words. */
const FIRST_BRAND = new RegExp(`^(general mobile|black shark|[^ _]+)(?: (?:${COMPANY})\\b[.,]*)*[ _]+(\\S.*)$`, 'i')

/** Many models repeat their brand, and some are of another one than their manufacturer (`HMD Global Nokia G21`). */
function splitName(name: string): BrandAndModel {
  const [, brand, model = ''] = FIRST_BRAND.exec(name) ?? [name, name]
  const [, second = '', rest] = FIRST_BRAND.exec(model) ?? []
  if (second.toLowerCase() === brand?.toLowerCase()) return { brand, model: rest }
  return BRANDS.has(second.toLowerCase()) ? { brand: second, model: rest } : { brand, model }
}

/** Brands as people write them, by the lower case that manufacturers and models have in common. */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ...[
    'Alcatel',
    'Amazon',
    'ASUS',
    'Black Shark',
    'Blackview',
    'Cubot',
    'Doogee',
    'Fairphone',
    'General Mobile',
    'Google',
    'HMD',
    'Honor',
    'HTC',
    'Huawei',
    'Infinix',
    'Itel',
    'Lenovo',
    'Meizu',
    'Motorola',
    'Nokia',
    'Nothing',
    'Nubia',
    'OnePlus',
    'OPPO',
    'Oukitel',
    'Realme',
    'Samsung',
    'Sharp',
    'Sony',
    'TCL',
    'Tecno',
    'Ulefone',
    'Vivo',
    'Wiko',
    'Xiaomi',
    'ZTE',
  ].map((brand) => [brand.toLowerCase(), brand] as const),
  ['blackshark', 'Black Shark'],
  ['lge', 'LG'],
])

function toBrand(brand: string): string {
  return BRANDS.get(brand.trim().toLowerCase()) ?? brand.trim()
}

/** What browsers write instead of the model. */
const HIDDEN_MODEL = 'K'

function toModel(model: string | undefined): string | null {
  const trimmed = toContextText(model?.trim())
  return trimmed === HIDDEN_MODEL ? null : trimmed
}
