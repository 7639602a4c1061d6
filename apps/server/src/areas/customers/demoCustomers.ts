/** The patients of the demo clinic: believable, of all ages, the same at every start but for the day they are reckoned from. */
import type { Customer } from '@ordinator/model/areas/customers/customer'
import type { Create } from '@ordinator/model/entity'
import { seeded } from '../../platform/seeded.ts'

const HOW_MANY = 400
/** One in so many is a child: without a phone of its own, with the mother's. */
const CHILD_OF = 6

/** @param today the day from which ages are reckoned */
export function demoCustomers(today = new Date()): Create<typeof Customer>[] {
  const random = seeded(20_261_101)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const phone = () =>
    `+79${Math.floor(random() * 1e9)
      .toString()
      .padStart(9, '0')}`
  const taken = new Set<string>()
  return Array.from({ length: HOW_MANY }, (_, at) => {
    const isChild = at % CHILD_OF === 3
    const gender = random() < 0.58 ? 'female' : 'male'
    const [surname, name, middleName] = unlessTaken(taken, () => fullName(gender, pick))
    const years = isChild ? random() * 14 : 18 + random() ** 1.4 * 72
    const birthday = dayText(new Date(today.getTime() - years * 365.25 * 86_400_000))
    const common = { surname, name, middleName, gender, birthday, ...addressOf(pick, random) } as const
    if (isChild) return { ...common, phoneMother: phone(), ...(random() < 0.5 ? { phoneFather: phone() } : {}) }
    return {
      ...common,
      phone: phone(),
      ...(random() < 0.15 ? { phoneExtended: phone() } : {}),
      ...(random() < 0.55 ? { email: `${latin(surname)}.${latin(name)}${at}@example.ru` } : {}),
      ...(random() < 0.4 ? { post: pick(posts), work: pick(works) } : {}),
    }
  })
}

type Pick = <T>(list: readonly T[]) => T

function fullName(gender: 'female' | 'male', pick: Pick): [string, string, string] {
  const surname = pick(surnames)
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
/** Without the end: «Иванов» + «ич», «на». */
const fathers =
  words(`Александров Дмитриев Максимов Сергеев Андреев Алексеев Михайлов Романов Егоров Иванов Денисов Евгеньев
  Игорев Владимиров Павлов Константинов Олегов Антонов Николаев Вадимов Юрьев Семёнов Викторов Витальев Вячеславов
  Фёдоров Петров Борисов Геннадьев Анатольев Валентинов Григорьев Степанов Леонидов Аркадьев Эдуардов`)
const posts = words('бухгалтер инженер учитель водитель менеджер продавец программист экономист юрист повар')
const works = ['ООО «Стройинвест»', 'Школа № 12', 'АО «Волгатранс»', 'ИП Громов', 'Администрация района', 'ПАО «Салют»']
const streets = ['Ленина', 'Садовая', 'Лесная', 'Молодогвардейская', 'Победы', 'Гагарина', 'Полевая', 'Мира']
