import { weighted } from './random.ts'

/** First names and last names that go with each of them. */
export const NAMES = {
  en: names('Alex Emma Jack Olivia Daniel Sophie Liam Mia Nora Max', 'Smith Taylor Brown Walker Hughes Reed Moore'),
  ru: names('Александр Мария Дмитрий Анна Тимур Елена Артём Катя', 'Ким Черных Седых Коваленко Долгих'),
  uk: names('Олександр Оксана Андрій Ірина Тарас Юлія', 'Шевченко Коваленко Бондаренко Ткачук Мельник'),
  de: names('Lukas Anna Jonas Lena Felix Marie Jürgen Käthe', 'Müller Schmidt Weber Groß Hoffmann König'),
  es: names('Lucía Mateo Sofía Javier Carmen Andrés Begoña', 'García Martínez López Núñez Romero'),
  'pt-br': names('João Ana Lucas Beatriz Gabriel Larissa Antônio', 'Silva Santos Oliveira Conceição Araújo'),
  tr: names('Mehmet Ayşe Emre Zeynep Çağla Burak İrem', 'Yılmaz Kaya Demir Şahin Öztürk'),
  fa: names('علی زهرا محمد سارا رضا مریم', 'احمدی محمدی کریمی حسینی'),
  ar: names('أحمد فاطمة محمد نور خالد ليلى', 'حسن علي إبراهيم منصور'),
  id: names('Budi Siti Agus Dewi Rizky Putri Ayu', 'Santoso Wijaya Pratama Lestari'),
  uz: names('Jasur Aziz Sardor Dilnoza Malika Nilufar', 'Karim Rahim Yusuf Umar'),
  hi: names('राहुल प्रिया अमित नेहा विकास पूजा', 'शर्मा वर्मा सिंह गुप्ता'),
  indian: names('Rahul Priya Arjun Ananya Vikram Divya Imran', 'Sharma Patel Singh Reddy Khan Nair'),
  nigerian: names('Chidi Amina Emeka Ngozi Tunde Zainab Musa', 'Okafor Adeyemi Bello Eze Nwosu'),
}

function names(first: string, last: string) {
  return { first: first.split(' '), last: last.split(' ') }
}

/** Where people live, by the weight of each country; a language or city that stands there twice is twice as frequent. */
export const COUNTRIES = weighted([
  country('RU', 22, [33, 10, 3, 'ru'], 'ru ru ru ru ru ru ru ru ru en', 'Moscow|Moscow|Saint Petersburg|Kazan'),
  country('IN', 13, [6, 3, 5.5, 'indian'], 'en en en hi', 'Mumbai|Delhi|Bengaluru|Kochi'),
  country('ID', 9, [10, 3, 7, 'id'], 'id id id id id id en', 'Jakarta|Jakarta|Surabaya|Bandung'),
  country('US', 7, [58, 10, -5, 'en'], 'en en en en en en en en es ru', 'New York|New York|Miami|Chicago|Atlanta'),
  country('BR', 7, [20, 5, -3, 'pt-br'], 'pt-br pt-br pt-br pt-br en', 'São Paulo|São Paulo|Rio de Janeiro|Recife'),
  country('UA', 6, [36, 9, 2, 'uk'], 'uk uk uk uk uk ru en', 'Kyiv|Kyiv|Lviv|Odesa'),
  country('UZ', 6, [22, 6, 5, 'uz'], 'uz uz ru', 'Tashkent|Tashkent|Samarkand'),
  country('IR', 5, [14, 5, 3.5, 'fa'], 'fa fa fa fa fa fa en', 'Tehran|Tehran|Mashhad|Isfahan'),
  country('TR', 5, [28, 6, 3, 'tr'], 'tr tr tr tr tr tr en', 'Istanbul|Istanbul|Ankara|Izmir'),
  country('DE', 5, [40, 9, 1, 'en'], 'de de de de de de en ru tr', 'Berlin|Berlin|Hamburg|Munich|Cologne'),
  country('NG', 4, [9, 2, 1, 'nigerian'], 'en', 'Lagos|Lagos|Abuja|Ibadan'),
  country('ES', 3, [26, 6, 1, 'en'], 'es es es es es es en', 'Madrid|Barcelona|Valencia'),
  country('GB', 2, [52, 9, 0, 'en'], 'en', 'London|London|Manchester|Edinburgh'),
  country('EG', 2, [10, 3, 2, 'ar'], 'ar ar ar ar ar en', 'Cairo|Cairo|Alexandria'),
])

/** Of a hundred phones the iPhones, of a hundred users the premium ones; and how people who speak English there are called. */
type Figures = readonly [iphones: number, premium: number, utcOffsetHours: number, englishNames: keyof typeof NAMES]

function country(code: string, weight: number, figures: Figures, languages: string, cities: string) {
  return [{ code, figures, languages: languages.split(' '), cities: cities.split('|') }, weight] as const
}
