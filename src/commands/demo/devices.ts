import type { Dice, Weighted } from './random.ts'

/** A device as the messenger and the browser's user agent name it. */
export interface Device {
  readonly device: string
  readonly os: string
  readonly brand: string | null
  readonly model: string | null
}

const IPHONES: Weighted<Device> = [
  [{ device: 'ios', os: 'iOS', brand: 'Apple', model: 'iPhone' }, 95],
  [{ device: 'ios', os: 'iOS', brand: 'Apple', model: 'iPad' }, 5],
]

const ANDROIDS: Weighted<Device> = (
  [
    ['Samsung', 'SM-A546E', 9],
    ['Samsung', 'SM-A155F', 9],
    ['Samsung', 'SM-S918B', 6],
    ['Samsung', 'SM-S928B', 4],
    ['Samsung', 'SM-M146B', 5],
    ['Xiaomi', 'Redmi Note 12', 9],
    ['Xiaomi', 'Redmi Note 13 Pro', 8],
    ['Xiaomi', 'Redmi 12C', 7],
    ['Xiaomi', 'POCO X5 Pro', 4],
    ['Xiaomi', '23049PCD8G', 3],
    ['OPPO', 'CPH2483', 6],
    ['Vivo', 'V2206', 6],
    ['Realme', 'RMX3710', 6],
    ['Infinix', 'X6831', 5],
    ['TECNO', 'KI5k', 4],
    ['Huawei', 'ANE-LX1', 3],
    ['Google', 'Pixel 7', 3],
    ['Google', 'Pixel 8 Pro', 2],
    ['OnePlus', 'CPH2449', 2],
    ['Motorola', 'moto g54', 2],
    [null, null, 3],
  ] as const
).map(([brand, model, weight]) => [{ device: 'android', os: 'Android', brand, model }, weight])

const WINDOWS = { os: 'Windows', brand: null, model: null }
const LINUX = { os: 'Linux', brand: null, model: null }
const MAC = { os: 'Mac OS', brand: 'Apple', model: 'Macintosh' }

const DESKTOPS: Weighted<Device> = [
  [{ device: 'tdesktop', ...WINDOWS }, 62],
  [{ device: 'tdesktop', ...LINUX }, 5],
  [{ device: 'macos', ...MAC }, 16],
  [{ device: 'weba', ...WINDOWS }, 12],
  [{ device: 'weba', ...MAC }, 4],
  [{ device: 'weba', ...LINUX }, 1],
]

export interface Devices {
  readonly usual: Device
  /** What the person takes now and then instead. */
  readonly second: Device | null
}

export function drawDevices(dice: Dice, iphones: number): Devices {
  const phone = dice.weighted(dice.chance(iphones) ? IPHONES : ANDROIDS)
  const desktop = dice.weighted(DESKTOPS)
  if (dice.chance(0.1)) return { usual: desktop, second: dice.chance(0.5) ? phone : null }
  return { usual: phone, second: dice.chance(0.14) ? desktop : null }
}
