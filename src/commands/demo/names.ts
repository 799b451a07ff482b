import type { Dice } from './random.ts'

export type NameStyle = keyof typeof NAMES

/** Names that go together: where last names have a gender, each has a set of its own. */
interface Style {
  readonly first: readonly string[]
  readonly last: readonly string[]
}

const NAMES = {
  latin: {
    first: ['Alex', 'Emma', 'Jack', 'Olivia', 'Daniel', 'Sophie', 'Liam', 'Mia', 'Chris', 'Nora', 'Max', 'Kate', 'Leo'],
    last: ['Smith', 'Taylor', 'Brown', 'Walker', 'Hughes', 'Parker', 'Collins', 'Reed', 'Moore', 'Bennett', 'Kim'],
  },
  cyrillic: [
    {
      first: ['Александр', 'Дмитрий', 'Иван', 'Сергей', 'Тимур', 'Макс', 'Артём', 'Олег'],
      last: ['Иванов', 'Кузнецов', 'Соколов', 'Волков', 'Ким', 'Ахметов', 'Лебедев'],
    },
    {
      first: ['Мария', 'Анна', 'Елена', 'Ольга', 'Аня', 'Катя', 'Дарья', 'Света'],
      last: ['Смирнова', 'Попова', 'Морозова', 'Лебедева', 'Ким', 'Новикова', 'Ахметова'],
    },
  ],
  ukrainian: {
    first: ['Олександр', 'Оксана', 'Андрій', 'Ірина', 'Тарас', 'Юлія', 'Богдан', 'Соломія', 'Дмитро', 'Марічка'],
    last: ['Шевченко', 'Коваленко', 'Бондаренко', 'Ткачук', 'Кравець', 'Мельник', 'Поліщук', 'Гнатюк'],
  },
  german: {
    first: ['Lukas', 'Anna', 'Jonas', 'Lena', 'Felix', 'Marie', 'Jürgen', 'Käthe', 'Ben', 'Lea'],
    last: ['Müller', 'Schmidt', 'Schneider', 'Weber', 'Groß', 'Hoffmann', 'König', 'Vogel'],
  },
  spanish: {
    first: ['Lucía', 'Mateo', 'Sofía', 'Javier', 'Carmen', 'Andrés', 'Valeria', 'Diego', 'Begoña', 'Pablo'],
    last: ['García', 'Martínez', 'López', 'Hernández', 'Núñez', 'Romero', 'Vega', 'Ibáñez'],
  },
  portuguese: {
    first: ['João', 'Ana', 'Lucas', 'Beatriz', 'Gabriel', 'Larissa', 'Thiago', 'Camila', 'Antônio', 'Júlia'],
    last: ['Silva', 'Santos', 'Oliveira', 'Souza', 'Conceição', 'Pereira', 'Araújo', 'Lima'],
  },
  turkish: {
    first: ['Mehmet', 'Ayşe', 'Emre', 'Zeynep', 'Çağla', 'Burak', 'Elif', 'Ömer', 'İrem', 'Can'],
    last: ['Yılmaz', 'Kaya', 'Demir', 'Şahin', 'Çelik', 'Öztürk', 'Aydın', 'Koç'],
  },
  persian: {
    first: ['علی', 'زهرا', 'محمد', 'سارا', 'رضا', 'مریم', 'امیر', 'نگار', 'حسین', 'پریسا'],
    last: ['احمدی', 'محمدی', 'کریمی', 'حسینی', 'رضایی', 'موسوی', 'جعفری'],
  },
  arabic: {
    first: ['أحمد', 'فاطمة', 'محمد', 'نور', 'خالد', 'ليلى', 'يوسف', 'مريم', 'عمر', 'سلمى'],
    last: ['حسن', 'علي', 'إبراهيم', 'السيد', 'منصور', 'الخطيب', 'فاروق'],
  },
  devanagari: {
    first: ['राहुल', 'प्रिया', 'अमित', 'नेहा', 'विकास', 'पूजा', 'संजय', 'अंजलि'],
    last: ['शर्मा', 'वर्मा', 'सिंह', 'गुप्ता', 'यादव', 'मिश्रा'],
  },
  indian: {
    first: ['Rahul', 'Priya', 'Arjun', 'Ananya', 'Vikram', 'Divya', 'Rohan', 'Sneha', 'Imran', 'Lakshmi'],
    last: ['Sharma', 'Patel', 'Singh', 'Reddy', 'Khan', 'Nair', 'Iyer', 'Das'],
  },
  indonesian: {
    first: ['Budi', 'Siti', 'Agus', 'Dewi', 'Rizky', 'Putri', 'Andi', 'Ayu', 'Fajar', 'Wulan'],
    last: ['Santoso', 'Wijaya', 'Pratama', 'Lestari', 'Saputra', 'Hidayat', 'Siregar'],
  },
  uzbek: [
    { first: ['Jasur', 'Aziz', "Ulug'bek", 'Sardor', 'Bekzod'], last: ['Karimov', 'Rahimov', 'Aliyev', "To'rayev"] },
    { first: ['Dilnoza', 'Malika', 'Nilufar', 'Shahnoza'], last: ['Yusupova', 'Umarova', 'Karimova', "To'rayeva"] },
  ],
  vietnamese: {
    first: ['Minh', 'Linh', 'Tuấn', 'Hương', 'Đức', 'Ngọc', 'Hải', 'Thảo'],
    last: ['Nguyễn', 'Trần', 'Lê', 'Phạm', 'Hoàng', 'Võ'],
  },
  nigerian: {
    first: ['Chidi', 'Amina', 'Emeka', 'Ngozi', 'Tunde', 'Zainab', 'Ifeanyi', 'Blessing', 'Sola', 'Musa'],
    last: ['Okafor', 'Adeyemi', 'Bello', 'Eze', 'Balogun', 'Ibrahim', 'Nwosu'],
  },
  chinese: {
    first: ['伟', '芳', '静', '磊', '洋', '艳'],
    last: ['王', '李', '张', '刘', '陈', '杨'],
  },
} as const satisfies Record<string, Style | readonly Style[]>

const NICKNAMES = ['🍋', 'Lemon 🍋', 'k.', 'Mr. Nobody', '…', '𝓜𝓲𝓪', 'no name', 'ZZ', '☀️ Sunny', 'dev']

// biome-ignore format: one list
const STEMS = ['alex', 'kate', 'sunny', 'max', 'crypto', 'mia', 'dima', 'leo', 'anna', 'ton', 'rocket', 'juno', 'omar', 'priya', 'budi', 'kira', 'nova', 'timur', 'vera', 'ivan', 'zoe', 'fox', 'pixel', 'lime', 'oleg', 'sara', 'arda', 'rio', 'luna', 'neo', 'emre', 'ayu']
const TAILS = ['', '_', 'x', '_official', 'ov', '_dev', '_pro', 'chik', '_88', 'man']

export interface PersonName {
  readonly username: string | null
  readonly firstname: string | null
  readonly lastname: string | null
}

/** People write their names as they please: a third has no username, half no last name, a few hide behind a sign. */
export function drawName(dice: Dice, style: NameStyle): PersonName {
  const sets: Style | readonly Style[] = NAMES[style]
  const { first, last } = 'first' in sets ? sets : dice.pick(sets)
  const firstname = dice.chance(0.05) ? dice.pick(NICKNAMES) : dice.pick(first)
  return {
    username: dice.chance(0.66) ? `${dice.pick(STEMS)}${dice.pick(TAILS)}${dice.whole(10, 99_999)}` : null,
    firstname: dice.chance(0.015) ? null : firstname,
    lastname: dice.chance(0.52) ? dice.pick(last) : null,
  }
}
