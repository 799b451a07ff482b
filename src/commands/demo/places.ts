import { toCountryName } from '../../text/country.ts'
import type { NameStyle } from './names.ts'
import type { Dice, Weighted } from './random.ts'

export interface Place {
  readonly country: string
  readonly city: string
  readonly utcOffsetHours: number
  readonly languages: Weighted<string | null>
  readonly names: Weighted<NameStyle>
  /** Part of the phones that are iPhones. */
  readonly iphones: number
  readonly premium: number
  /** Days of the week, 0 = Sunday. */
  readonly weekend: readonly number[]
}

/** City, hours ahead of UTC outside summer time (an hour more or less shows in no chart), weight within the country. */
type City = readonly [name: string, utcOffsetHours: number, weight: number]

interface Country extends Omit<Place, 'country' | 'city' | 'utcOffsetHours'> {
  readonly code: string
  readonly weight: number
  readonly cities: readonly City[]
}

const WEEKEND = [6, 0]

// biome-ignore format: a table is read by its columns
const COUNTRIES: readonly Country[] = [
  { code: 'RU', weight: 22, iphones: 0.33, premium: 1.5, weekend: WEEKEND, languages: [['ru', 95], ['en', 4], ['tr', 1]], names: [['cyrillic', 80], ['latin', 20]], cities: [['Moscow', 3, 40], ['Saint Petersburg', 3, 22], ['Yekaterinburg', 5, 9], ['Kazan', 3, 8], ['Novosibirsk', 7, 8], ['Krasnodar', 3, 7], ['Vladivostok', 10, 3]] },
  { code: 'IN', weight: 13, iphones: 0.06, premium: 0.4, weekend: WEEKEND, languages: [['en', 72], ['hi', 25], [null, 3]], names: [['devanagari', 22], ['indian', 78]], cities: [['Mumbai', 5.5, 26], ['Delhi', 5.5, 26], ['Bengaluru', 5.5, 18], ['Hyderabad', 5.5, 12], ['Lucknow', 5.5, 10], ['Kochi', 5.5, 8]] },
  { code: 'ID', weight: 9, iphones: 0.1, premium: 0.5, weekend: WEEKEND, languages: [['id', 86], ['en', 13], [null, 1]], names: [['indonesian', 100]], cities: [['Jakarta', 7, 45], ['Surabaya', 7, 20], ['Bandung', 7, 18], ['Medan', 7, 10], ['Denpasar', 8, 7]] },
  { code: 'US', weight: 7, iphones: 0.58, premium: 1.6, weekend: WEEKEND, languages: [['en', 82], ['es', 9], ['ru', 6], ['zh-hans', 3]], names: [['latin', 78], ['spanish', 12], ['cyrillic', 5], ['chinese', 5]], cities: [['New York', -5, 28], ['Los Angeles', -8, 22], ['Miami', -5, 14], ['Chicago', -6, 14], ['Houston', -6, 12], ['Seattle', -8, 10]] },
  { code: 'BR', weight: 7, iphones: 0.2, premium: 0.8, weekend: WEEKEND, languages: [['pt-br', 94], ['en', 5], [null, 1]], names: [['portuguese', 100]], cities: [['São Paulo', -3, 44], ['Rio de Janeiro', -3, 24], ['Belo Horizonte', -3, 14], ['Recife', -3, 10], ['Manaus', -4, 8]] },
  { code: 'UZ', weight: 6, iphones: 0.22, premium: 0.9, weekend: WEEKEND, languages: [['uz', 52], ['ru', 44], ['en', 4]], names: [['uzbek', 70], ['cyrillic', 30]], cities: [['Tashkent', 5, 66], ['Samarkand', 5, 20], ['Bukhara', 5, 14]] },
  { code: 'UA', weight: 6, iphones: 0.36, premium: 1.3, weekend: WEEKEND, languages: [['uk', 78], ['ru', 15], ['en', 7]], names: [['ukrainian', 84], ['latin', 16]], cities: [['Kyiv', 2, 46], ['Lviv', 2, 20], ['Odesa', 2, 18], ['Dnipro', 2, 16]] },
  { code: 'IR', weight: 5, iphones: 0.14, premium: 0.7, weekend: [4, 5], languages: [['fa', 91], ['en', 9]], names: [['persian', 85], ['latin', 15]], cities: [['Tehran', 3.5, 60], ['Mashhad', 3.5, 22], ['Isfahan', 3.5, 18]] },
  { code: 'TR', weight: 5, iphones: 0.28, premium: 0.9, weekend: WEEKEND, languages: [['tr', 89], ['en', 7], ['ru', 4]], names: [['turkish', 95], ['cyrillic', 5]], cities: [['Istanbul', 3, 56], ['Ankara', 3, 22], ['Izmir', 3, 14], ['Antalya', 3, 8]] },
  { code: 'DE', weight: 4, iphones: 0.4, premium: 1.4, weekend: WEEKEND, languages: [['de', 68], ['en', 14], ['ru', 12], ['tr', 6]], names: [['german', 74], ['cyrillic', 14], ['turkish', 12]], cities: [['Berlin', 1, 40], ['Hamburg', 1, 20], ['Munich', 1, 20], ['Cologne', 1, 20]] },
  { code: 'KZ', weight: 4, iphones: 0.35, premium: 1.1, weekend: WEEKEND, languages: [['ru', 76], ['kk', 20], ['en', 4]], names: [['cyrillic', 88], ['latin', 12]], cities: [['Almaty', 5, 56], ['Astana', 5, 30], ['Shymkent', 5, 14]] },
  { code: 'NG', weight: 4, iphones: 0.09, premium: 0.3, weekend: WEEKEND, languages: [['en', 98], [null, 2]], names: [['nigerian', 100]], cities: [['Lagos', 1, 58], ['Abuja', 1, 26], ['Ibadan', 1, 16]] },
  { code: 'VN', weight: 3, iphones: 0.3, premium: 0.6, weekend: WEEKEND, languages: [['vi', 70], ['en', 30]], names: [['vietnamese', 100]], cities: [['Ho Chi Minh City', 7, 55], ['Hanoi', 7, 35], ['Da Nang', 7, 10]] },
  { code: 'ES', weight: 2.5, iphones: 0.26, premium: 1, weekend: WEEKEND, languages: [['es', 84], ['en', 9], ['ru', 7]], names: [['spanish', 92], ['cyrillic', 8]], cities: [['Madrid', 1, 40], ['Barcelona', 1, 36], ['Valencia', 1, 24]] },
  { code: 'GB', weight: 2.5, iphones: 0.52, premium: 1.4, weekend: WEEKEND, languages: [['en', 93], ['ru', 4], ['ar', 3]], names: [['latin', 88], ['indian', 8], ['arabic', 4]], cities: [['London', 0, 60], ['Manchester', 0, 24], ['Edinburgh', 0, 16]] },
  { code: 'AE', weight: 2, iphones: 0.5, premium: 1.9, weekend: WEEKEND, languages: [['en', 52], ['ru', 24], ['ar', 24]], names: [['arabic', 38], ['cyrillic', 24], ['indian', 38]], cities: [['Dubai', 4, 74], ['Abu Dhabi', 4, 18], ['Sharjah', 4, 8]] },
  { code: 'EG', weight: 2, iphones: 0.1, premium: 0.4, weekend: [5, 6], languages: [['ar', 88], ['en', 12]], names: [['arabic', 100]], cities: [['Cairo', 2, 66], ['Alexandria', 2, 34]] },
]

const PLACES: Weighted<Place> = COUNTRIES.flatMap(placesOf)

export function drawPlace(dice: Dice): Place {
  return dice.weighted(PLACES)
}

function placesOf({ code, weight, cities, ...shared }: Country): Weighted<Place> {
  const country = toCountryName(code) ?? code
  const sum = cities.reduce((total, [, , cityWeight]) => total + cityWeight, 0)
  return cities.map(([city, utcOffsetHours, cityWeight]) => [
    { ...shared, country, city, utcOffsetHours },
    (weight * cityWeight) / sum,
  ])
}
