/** The patients of the demo clinic: realistic, of all ages, deterministic except for the day of reference. */
import type { Customer } from '@ordinator/model/areas/customers/customer'
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import type { Create } from '@ordinator/model/entity'
import { schemes } from '@ordinator/model/identifiers'
import { dayIn } from '@ordinator/model/zone'
import { seeded } from '#platform/seeded.ts'

const HOW_MANY = 600
/** One of this many is a child: without an own phone, with the mother's. */
const CHILD_OF = 6
const YEAR_MS = 365.25 * 86_400_000

/** A patient with the records attached to the card. */
export interface DemoCustomer {
  card: Create<typeof Customer>
  policy?: { type: 'oms' | 'dms'; number: string; company: string; programme?: string }
  /** Index of the mother in the list. */
  mother?: number
  tag?: { name: string; color: string }
  source?: string
}

/** @param today the reference day of ages */
export function demoCustomers(today = new Date()): DemoCustomer[] {
  const random = seeded(20_261_101)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const phone = () =>
    `+79${Math.floor(random() * 1e9)
      .toString()
      .padStart(9, '0')}`
  const taken = new Set<string>()
  const made: DemoCustomer[] = []
  const ages: number[] = []
  for (let at = 0; at < HOW_MANY; at++) {
    const isChild = at % CHILD_OF === 3
    const gender = random() < 0.58 ? 'female' : 'male'
    const years = isChild ? random() * 14 : 18 + random() ** 1.4 * 72
    const mother = isChild ? motherOf(made, ages, years, pick) : undefined
    const [surname, name, middleName] = unlessTaken(taken, () =>
      fullName(gender, pick, mother === undefined ? undefined : made[mother]?.card.surname),
    )
    const birthday = dayText(new Date(today.getTime() - years * YEAR_MS))
    const cardNumber = String(10_001 + at)
    const common = { surname, name, middleName, gender, birthday, cardNumber } as const
    const insured = random() < 0.6 ? { type: 'oms' as const, number: enpOf(birthday, gender, at) } : undefined
    const shared = {
      ...(insured ? { policy: { ...insured, company: pick(insurers) } } : {}),
      ...(random() < 0.7 ? { source: pick(demoSources.flatMap(({ within }) => within)) } : {}),
    }
    ages.push(years)
    if (mother !== undefined) {
      const parent = made[mother]?.card as Create<typeof Customer>
      made.push({
        ...shared,
        mother,
        card: {
          ...common,
          ...addressIn(parent),
          phoneMother: parent.phone,
          ...(random() < 0.5 ? { phoneFather: phone() } : {}),
          ...(random() < 0.7 ? { documentType: 'birthCertificate', numberPassport: `II-ЕР ${500_000 + at}` } : {}),
          ...(random() < 0.15 ? { allergies: pick(allergies) } : {}),
        },
      })
      continue
    }
    made.push({
      ...shared,
      ...(random() < 0.08 ? { tag: pick(demoTags) } : {}),
      card: {
        ...common,
        ...addressOf(pick, random),
        phone: phone(),
        ...(random() < 0.15 ? { phoneExtended: phone() } : {}),
        ...(random() < 0.55 ? { email: `${latin(surname)}.${latin(name)}${at}@example.ru` } : {}),
        ...(random() < 0.4 ? { post: pick(posts), work: pick(works) } : {}),
        ...(random() < 0.5 ? { snils: schemes.snils.sample(at * 7_919) } : {}),
        ...(random() < 0.4 ? passportOf(at, years, today) : {}),
        ...(random() < 0.08 ? { allergies: pick(allergies) } : {}),
        ...(random() < 0.01 ? { secretLevel: 'vip' } : {}),
      },
    })
  }
  return made
}

/** A woman of the list who was from 19 to 40 when the child was born. */
function motherOf(
  made: readonly DemoCustomer[],
  ages: readonly number[],
  years: number,
  pick: Pick,
): number | undefined {
  const able = made.flatMap(({ card }, at) => {
    const then = (ages[at] as number) - years
    return card.gender === 'female' && card.phone && then > 19 && then < 40 ? [at] : []
  })
  return able.length ? pick(able) : undefined
}

const addressIn = ({ nameCity, nameStreet, numberStreet }: Create<typeof Customer>) =>
  nameCity ? { nameCity, nameStreet, numberStreet } : {}

const passportOf = (at: number, years: number, today: Date) => ({
  numberPassport: `36 ${String(4 + (at % 20)).padStart(2, '0')} ${String(120_000 + at * 13).padStart(6, '0')}`,
  datePassport: dayIn(
    commonSettings.timeZone.byDefault,
    today.getTime() - Math.min(years - 14, 1 + (at % 12)) * YEAR_MS,
  ),
  issuedByPassport: 'ГУ МВД России по Самарской области',
  issuedByPassportCode: `630${String(1 + (at % 60)).padStart(3, '0')}`,
})

/** A policy number that encodes the birthday and the sex, as real ones do (`enpPerson` decodes it). */
function enpOf(birthday: string, gender: 'female' | 'male', at: number): string {
  const [day, month, year] = birthday.split('.').map(Number) as [number, number, number]
  const two = (n: number) => String(n).padStart(2, '0')
  const m = month + (year <= 1950 ? 20 : year <= 2000 ? 40 : 0)
  const digits = two(m) + [...String(year)].reverse().join('') + two(gender === 'male' ? day + 50 : day)
  const body = `63${[...digits].map((digit) => 9 - Number(digit)).join('')}${String(10_000 + at)}`
  return [...'0123456789'].map((digit) => body + digit).find((number) => schemes.enp.read(number).ok) as string
}

const insurers = ['АО «МАКС-М»', 'АО «АСТРАМЕД-МС»', 'ООО «Капитал МС»', 'СПАО «Ингосстрах»', 'АО «СОГАЗ-Мед»']
const allergies = [
  'Пенициллины: отёк Квинке',
  'Лидокаин',
  'Йодсодержащие препараты',
  'Анальгин, новокаин',
  'Пыльца берёзы',
]
const demoTags = [
  { name: 'Постоянный', color: '#12b886' },
  { name: 'Пожилой: помочь с записью', color: '#4c6ef5' },
  { name: 'Просил не звонить', color: '#fa5252' },
] as const
/** The tree of sources. */
export const demoSources: readonly { name: string; within: readonly string[] }[] = [
  { name: 'Интернет', within: ['Сайт клиники', 'Яндекс Карты', '2ГИС', 'ВКонтакте'] },
  { name: 'Рекомендация', within: ['Рекомендация пациента', 'Направление врача', 'Сотрудник клиники'] },
  { name: 'Реклама', within: ['Вывеска', 'Листовка', 'Радио'] },
  { name: 'Организации', within: ['Страховая компания', 'Работодатель'] },
]

type Pick = <T>(list: readonly T[]) => T

function fullName(gender: 'female' | 'male', pick: Pick, mother?: string): [string, string, string] {
  const surname = surnames.find((one) => mother && feminine(one) === mother) ?? pick(surnames)
  const father = pick(fathers)
  return gender === 'male' ? [surname, pick(men), `${father}ич`] : [feminine(surname), pick(women), `${father}на`]
}

function unlessTaken(taken: Set<string>, make: () => [string, string, string]): [string, string, string] {
  for (;;) {
    const made = make()
    if (taken.has(made.join())) continue
    taken.add(made.join())
    return made
  }
}

const feminine = (surname: string) => (surname.endsWith('ий') ? `${surname.slice(0, -2)}ая` : `${surname}а`)

const addressOf = (pick: Pick, random: () => number) =>
  random() < 0.3
    ? {}
    : { nameCity: 'Самара', nameStreet: pick(streets), numberStreet: String(1 + Math.floor(random() * 120)) }

function dayText(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()}`
}

const LATIN = 'a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sch - y - e yu ya'.split(' ')
const latin = (text: string) =>
  [...text.toLowerCase().replace(/ё/g, 'е')]
    .map((letter) => LATIN[(letter.codePointAt(0) as number) - 0x430]?.replace('-', '') ?? '')
    .join('')

const words = (text: string) => text.trim().split(/\s+/)

const surnames = words(`Иванов Смирнов Кузнецов Попов Васильев Петров Соколов Михайлов Новиков Фёдоров Морозов Волков
  Алексеев Лебедев Семёнов Егоров Павлов Козлов Степанов Николаев Орлов Андреев Макаров Никитин Захаров Зайцев Соловьёв
  Борисов Яковлев Григорьев Романов Воробьёв Сергеев Кузьмин Фролов Александров Дмитриев Королёв Гусев Киселёв Ильин
  Максимов Поляков Сорокин Виноградов Ковалёв Белов Медведев Антонов Тарасов Жуков Баранов Филиппов Комаров Давыдов
  Беляев Герасимов Богданов Осипов Сидоров Матвеев Титов Марков Миронов Крылов Куликов Карпов Власов Мельников Денисов
  Гаврилов Тихонов Казаков Афанасьев Данилов Савельев Тимофеев Фомин Чернов Абрамов Мартынов Ефимов Федотов Щербаков
  Назаров Калинин Исаев Чернышёв Быков Маслов Родионов Коновалов Лазарев Воронин Климов Филатов Пономарёв Голубев
  Кудрявцев Прохоров Наумов Потапов Журавлёв Овчинников Трофимов Леонов Соболев Ермаков Колесников Гончаров Емельянов
  Никифоров Грачёв Котов Гришин Ефремов Архипов Громов Кириллов Малышев Панов Моисеев Румянцев Акимов Кондратьев
  Бирюков Горбунов Анисимов Еремин Тихомиров Галкин Лукьянов Михеев Скворцов Юдин Белоусов Нестеров Симонов Прокофьев
  Харитонов Князев Цветков Левин Митрофанов Воронов Аксёнов Софронов Мальцев Логинов Горшков Савин Краснов Майоров
  Завьялов Крюков Озерский Вяземский Покровский Троицкий Каменский`)
const men =
  words(`Александр Дмитрий Максим Сергей Андрей Алексей Артём Илья Кирилл Михаил Никита Матвей Роман Егор Арсений
  Иван Денис Евгений Даниил Тимофей Владислав Игорь Владимир Павел Руслан Марк Константин Тимур Олег Ярослав Антон
  Николай Глеб Данила Савелий Вадим Степан Юрий Богдан Артур Семён Макар Лев Виктор Елисей Виталий Вячеслав Фёдор`)
const women =
  words(`Анастасия Мария Анна Виктория Екатерина Наталья Марина Полина София Дарья Алиса Ксения Александра Елена
  Валерия Вероника Ольга Татьяна Ирина Светлана Юлия Людмила Галина Надежда Любовь Валентина Нина Евгения Кристина
  Маргарита Алина Диана Ева Василиса Варвара Арина Милана Яна Лидия Тамара Зоя Раиса Лариса Оксана Инна Вера Антонина`)
/** Without the ending: «Иванов» + «ич», «на». */
const fathers =
  words(`Александров Дмитриев Максимов Сергеев Андреев Алексеев Михайлов Романов Егоров Иванов Денисов Евгеньев
  Игорев Владимиров Павлов Константинов Олегов Антонов Николаев Вадимов Юрьев Семёнов Викторов Витальев Вячеславов
  Фёдоров Петров Борисов Геннадьев Анатольев Валентинов Григорьев Степанов Леонидов Аркадьев Эдуардов`)
const posts = words('бухгалтер инженер учитель водитель менеджер продавец программист экономист юрист повар')
const works = ['ООО «Стройинвест»', 'Школа № 12', 'АО «Волгатранс»', 'ИП Громов', 'Администрация района', 'ПАО «Салют»']
const streets = ['Ленина', 'Садовая', 'Лесная', 'Молодогвардейская', 'Победы', 'Гагарина', 'Полевая', 'Мира']
