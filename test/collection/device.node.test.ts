import { expect, it } from 'vitest'
import { parseDevice } from '../../src/collection/device.ts'

function webView(device: string, rest = '') {
  return `Mozilla/5.0 (Linux; Android 14; ${device}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36${rest}`
}

/** The manufacturer as Android has it, its first letter capital, and the model. */
function messenger(name: string) {
  return webView('K', ` Telegram-Android/11.3.3 (${name}; Android 14; SDK 34; AVERAGE)`)
}

it.each<[name: string, brand: string | null, model: string | null]>([
  ['Google Pixel 8 Pro', 'Google', 'Pixel 8 Pro'],
  ['Samsung SM-S918B', 'Samsung', 'SM-S918B'],
  ['samsung SM-A546E', 'Samsung', 'SM-A546E'],
  ['Motorola motorola edge 40', 'Motorola', 'edge 40'],
  ['Motorola moto g54 5G', 'Motorola', 'moto g54 5G'],
  ['Xiaomi Redmi Note 12', 'Xiaomi', 'Redmi Note 12'],
  ['Xiaomi Redmi Note 8 (2021)', 'Xiaomi', 'Redmi Note 8 (2021)'],
  ['OnePlus CPH2449', 'OnePlus', 'CPH2449'],
  ['OnePlus ONEPLUS A6003', 'OnePlus', 'A6003'],
  ['HUAWEI ANE-LX1', 'Huawei', 'ANE-LX1'],
  ['HONOR REA-NX9', 'Honor', 'REA-NX9'],
  ['Realme RMX3085', 'Realme', 'RMX3085'],
  ['Vivo vivo 1904', 'Vivo', '1904'],
  ['OPPO CPH2239', 'OPPO', 'CPH2239'],
  ['TECNO MOBILE LIMITED TECNO CK7n', 'Tecno', 'CK7n'],
  ['INFINIX MOBILITY LIMITED Infinix X6833B', 'Infinix', 'X6833B'],
  ['ITEL MOBILE LIMITED itel A665L', 'Itel', 'A665L'],
  ['INFINIX X6833B', 'Infinix', 'X6833B'],
  ['Nothing A063', 'Nothing', 'A063'],
  ['HMD Global Nokia G21', 'Nokia', 'G21'],
  ['General Mobile 4G', 'General Mobile', '4G'],
  ['LGE LM-G900', 'LG', 'LM-G900'],
  ['Asus ASUS_AI2302', 'ASUS', 'AI2302'],
  ['Teclast  P30T ', 'Teclast', 'P30T'],
  ['Teclast TECLAST P30T', 'Teclast', 'P30T'],
  ['Google', 'Google', null],
  ['Google K', 'Google', null],
])('the messenger’s bracket %j is a %s %s', (name, brand, model) => {
  expect(parseDevice(messenger(name))).toEqual({ os: 'Android', brand, model })
})

it.each<[device: string, brand: string | null, model: string | null]>([
  ['K', null, null],
  ['SM-S918B', 'Samsung', 'SM-S918B'],
  ['HUAWEI P30', 'Huawei', 'P30'],
  ['TECNO CK7n', 'Tecno', 'CK7n'],
  ['itel A665L', 'Itel', 'A665L'],
])('a browser on %j, without the bracket, is a %s %s', (device, brand, model) => {
  expect(parseDevice(webView(device))).toEqual({ os: 'Android', brand, model })
})

it('an unclosed bracket is ignored', () => {
  const [head] = messenger('Google Pixel 8 Pro').split(' Pro')
  expect(parseDevice(head ?? '')).toEqual({ os: 'Android', brand: null, model: null })
})
