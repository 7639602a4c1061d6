/** What the demo clinic sells: its funnels, sources, reasons of refusals, and sixty deals. */

export const demoSources = [
  ['Сайт', 'site'],
  ['Яндекс Директ', 'yandex'],
  ['Яндекс Карты', 'yandex-maps'],
  ['Google', 'google'],
  ['2ГИС', '2gis'],
  ['ВКонтакте', 'vk'],
  ['Telegram', 'telegram'],
  ['WhatsApp', 'whatsapp'],
  ['ПроДокторов', 'prodoctorov'],
  ['Буклет', 'booklet'],
  ['Звонок', null],
  ['Рекомендация', null],
] as const

export const demoReasons = [
  'Дорого',
  'Выбрал другую клинику',
  'Не дозвонились',
  'Передумал',
  'Нет нужного врача',
  'Далеко ехать',
]

export const demoCompanies = [
  { name: 'ООО «Северный путь»', phone: '+79000002001', email: 'hr@sever.example', city: 'Тверь' },
  { name: 'АО «Волжский хлеб»', phone: '+79000002002', email: 'kadry@hleb.example', city: 'Тверь' },
  { name: 'Школа № 14', phone: '+79000002003', email: 'school14@edu.example', city: 'Тверь' },
  { name: 'Страховая «Опора»', phone: '+79000002004', email: 'dms@opora.example', city: 'Москва' },
] as const

export interface DemoFunnel {
  name: string
  canCompleteDealsWithoutOffers: boolean
  /** The stages of work, then the done one; «Отказ» stands last. */
  stages: readonly { name: string; color: string; daysLimit?: number; requiredFields?: string[] }[]
  done: string
  /** Title, price in rubles. */
  wishes: readonly (readonly [string, number | null])[]
  nextSteps: readonly string[]
}

export const demoFunnels: readonly DemoFunnel[] = [
  {
    name: 'Первичный приём',
    canCompleteDealsWithoutOffers: true,
    stages: [
      { name: 'Новая заявка', color: '#228be6', daysLimit: 1 },
      { name: 'Связались', color: '#15aabf', daysLimit: 3 },
      { name: 'Записан на приём', color: '#7950f2', daysLimit: 10, requiredFields: ['contacts.phone'] },
      { name: 'Подтвердил визит', color: '#f59f00', daysLimit: 3 },
    ],
    done: 'Пришёл на приём',
    wishes: [
      ['Консультация кардиолога', 2800],
      ['УЗИ брюшной полости', 2400],
      ['Приём педиатра на дому', 3500],
      ['Чистка зубов и осмотр', 5200],
      ['Справка для бассейна', 900],
      ['Приём невролога', 2600],
      ['МРТ поясничного отдела', 6400],
      ['Диспансеризация сотрудников', 184_000],
      ['Приём гинеколога и анализы', 5850.5],
      ['Консультация аллерголога', 2700],
      ['Приём ЛОРа', 2300],
      ['Программа «Здоровое сердце»', 14_900],
      ['Вакцинация от гриппа', 1650],
      ['Подбор очков', null],
    ],
    nextSteps: [
      'Перезвонить и предложить время',
      'Напомнить о визите',
      'Отправить подготовку к исследованию',
      'Уточнить направление',
    ],
  },
  {
    name: 'Операции и стационар',
    canCompleteDealsWithoutOffers: false,
    stages: [
      { name: 'Обращение', color: '#228be6', daysLimit: 2 },
      { name: 'Консультация хирурга', color: '#15aabf', daysLimit: 7 },
      { name: 'Обследование', color: '#7950f2', daysLimit: 14 },
      { name: 'Договор и предоплата', color: '#f59f00', daysLimit: 7, requiredFields: ['price', 'offers'] },
    ],
    done: 'Операция проведена',
    wishes: [
      ['Артроскопия коленного сустава', 86_000],
      ['Удаление катаракты', 62_500],
      ['Лапароскопия', 118_400],
      ['Септопластика', 74_900],
      ['Склеротерапия вен', 38_000],
      ['Имплантация двух зубов', 96_300],
      ['Аденотомия', 41_200],
      ['Дневной стационар, 10 дней', 27_750.5],
    ],
    nextSteps: [
      'Согласовать дату операции',
      'Отправить список анализов',
      'Подписать договор',
      'Узнать решение пациента',
    ],
  },
]

export const demoPeople = [
  'Белова Ирина Сергеевна',
  'Громов Алексей Петрович',
  'Дьячкова Марина Олеговна',
  'Ершов Игорь Валентинович',
  'Жданова Светлана Юрьевна',
  'Зайцев Павел Андреевич',
  'Ильина Татьяна Борисовна',
  'Калинин Сергей Викторович',
  'Лаптева Ольга Денисовна',
  'Мельников Роман Ильич',
  'Никитина Елена Павловна',
  'Осипов Максим Евгеньевич',
  'Панова Юлия Артёмовна',
  'Рябов Константин Львович',
  'Савельева Дарья Романовна',
  'Тихонов Виктор Степанович',
  'Ушакова Наталья Игоревна',
  'Фомин Артём Николаевич',
  'Харитонова Вера Михайловна',
  'Цветкова Анна Кирилловна',
] as const

export const demoTags = [
  ['Срочно', '#e03131'],
  ['ДМС', '#1971c2'],
  ['Ребёнок', '#7950f2'],
  ['Повторный', '#2f9e44'],
] as const

export const demoComments = [
  'Просит врача с опытом, удобно после 18:00',
  'Отправила цены и адреса филиалов',
  'Спросил о рассрочке, обещал подумать до пятницы',
  'Есть направление от участкового врача',
  'Перезвонить: был занят',
]

/** How many deals each funnel has. */
export const demoCounts = [40, 22] as const
