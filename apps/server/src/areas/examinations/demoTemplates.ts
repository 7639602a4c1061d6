/** Examination forms of the demo clinic's doctors. */
import { type ExaminationForm, type FormField, keyOf } from '@ordinator/model/areas/examinations/form'

export interface DemoTemplate {
  name: string
  /** Name of the speciality, and the matching part of the doctor's post. */
  speciality: string
  post: string
  form: ExaminationForm
  /** Diagnosis codes that its doctors use. */
  codes: readonly string[]
  prescriptions: readonly (readonly [name: string, how: string, term: string])[]
  recommendations: readonly string[]
}

type TemplateField = Omit<FormField, 'key'> & { key?: string }

/** Sections with keys derived from the labels by default. */
export function form(...sections: readonly (readonly [title: string, ...fields: TemplateField[]])[]): ExaminationForm {
  const taken = new Set<string>(sections.flatMap(([, ...fields]) => fields.flatMap(({ key }) => key ?? [])))
  return {
    sections: sections.map(([title, ...fields]) => ({
      title,
      fields: fields.map((field) => {
        const key = field.key ?? keyOf(field.label, taken)
        taken.add(key)
        return { ...field, key } as FormField
      }),
    })),
  }
}

export const text = (label: string, phrases: string[] = [], more: Partial<TemplateField> = {}): TemplateField => ({
  label,
  type: 'text',
  ...(phrases.length && { phrases }),
  ...more,
})
export const choice = (label: string, options: string[], more: Partial<TemplateField> = {}): TemplateField => ({
  label,
  type: 'choice',
  options,
  ...more,
})
const number = (
  label: string,
  unit: string,
  min: number,
  max: number,
  more: Partial<TemplateField> = {},
): TemplateField => ({
  label,
  type: 'number',
  unit,
  min,
  max,
  ...more,
})

const complaints = (phrases: string[]): TemplateField =>
  text('Жалобы', ['Активных жалоб не предъявляет', ...phrases], { required: true })
const anamnesis = text('Анамнез заболевания', [
  'Считает себя больным(ой) в течение недели',
  'Ухудшение в течение трёх дней, с переохлаждением не связывает',
  'Наблюдается планово, терапию принимает регулярно',
])
const life: TemplateField[] = [
  { key: 'аллергия', label: 'Аллергия', type: 'choice', options: ['Не отмечает', 'Есть'], default: 'Не отмечает' },
  {
    label: 'На что аллергия',
    type: 'dictionary',
    dictionary: 'allergens',
    showIf: { field: 'аллергия', is: 'equals', value: 'Есть' },
  },
]
const pressure: TemplateField[] = [
  number('Систолическое давление', 'мм рт. ст.', 100, 139, { key: 'сад', digits: 0 }),
  number('Диастолическое давление', 'мм рт. ст.', 60, 89, { key: 'дад', digits: 0 }),
  number('Пульс', 'уд/мин', 60, 90, { digits: 0 }),
]
const body: TemplateField[] = [
  { key: 'рост', label: 'Рост', type: 'number', unit: 'см', digits: 0 },
  { key: 'вес', label: 'Масса тела', type: 'number', unit: 'кг', digits: 1 },
  {
    key: 'имт',
    label: 'Индекс массы тела',
    type: 'calc',
    formula: 'вес / (рост / 100) ^ 2',
    digits: 1,
    unit: 'кг/м²',
    min: 18.5,
    max: 25,
    help: 'Масса в килограммах, делённая на квадрат роста в метрах',
  },
]
const state = choice('Общее состояние', ['Удовлетворительное', 'Средней тяжести', 'Тяжёлое'], {
  default: 'Удовлетворительное',
})

export const demoTemplates: readonly DemoTemplate[] = [
  {
    name: 'Приём терапевта',
    speciality: 'Терапевт',
    post: 'терапевт',
    form: form(
      [
        'Опрос',
        complaints(['Кашель, насморк, повышение температуры', 'Слабость, быстрая утомляемость', 'Головная боль']),
        anamnesis,
        ...life,
      ],
      [
        'Измерения',
        number('Температура', '°C', 36, 37, { digits: 1 }),
        ...pressure,
        number('Сатурация', '%', 95, 100, { digits: 0 }),
        ...body,
      ],
      [
        'Осмотр',
        state,
        choice('Кожные покровы', ['Обычной окраски, чистые', 'Бледные', 'Гиперемированы', 'Сыпь']),
        choice('Зев', ['Не гиперемирован', 'Гиперемирован', 'Налёты на миндалинах']),
        choice('Дыхание', ['Везикулярное, хрипов нет', 'Жёсткое, хрипов нет', 'Сухие хрипы', 'Влажные хрипы']),
        text('Живот', ['Мягкий, безболезненный', 'Болезненный в эпигастрии']),
        { label: 'Заключение', type: 'rich', phrases: ['Данных за острую хирургическую патологию нет'] },
      ],
    ),
    codes: ['J06.9', 'J20.9', 'I10', 'K29.7', 'E11.9', 'J02.9'],
    prescriptions: [
      ['Парацетамол 500 мг', 'по 1 таблетке при температуре выше 38,5', 'до 3 дней'],
      ['Амброксол 30 мг', 'по 1 таблетке 3 раза в день после еды', '7 дней'],
    ],
    recommendations: ['Обильное тёплое питьё', 'Общий анализ крови', 'Повторный приём через 5 дней'],
  },
  {
    name: 'Приём кардиолога',
    speciality: 'Кардиолог',
    post: 'кардиолог',
    form: form(
      [
        'Опрос',
        complaints([
          'Давящая боль за грудиной при нагрузке',
          'Повышение давления до 160/100',
          'Перебои в работе сердца',
        ]),
        anamnesis,
      ],
      ['Измерения', ...pressure, ...body],
      [
        'Риск',
        { key: 'возраст', label: 'Возраст старше 55 лет', type: 'choice', options: ['Нет', 'Да'], points: [0, 1] },
        { key: 'курение', label: 'Курение', type: 'choice', options: ['Нет', 'Да'], points: [0, 2] },
        number('Холестерин', 'ммоль/л', 3, 5.2, { key: 'холестерин', digits: 1 }),
        {
          label: 'Баллы риска',
          type: 'calc',
          formula: 'возраст + курение + если(сад >= 140; 2; 0) + если(холестерин > 5,2; 1; 0)',
          digits: 0,
          min: 0,
          max: 2,
          help: 'Сумма: возраст, курение, давление, холестерин',
        },
      ],
      [
        'Осмотр',
        state,
        choice('Тоны сердца', ['Ясные, ритмичные', 'Приглушены, ритмичные', 'Аритмичные']),
        { label: 'Отёки', type: 'multi', options: ['Нет', 'Голени', 'Стопы', 'Поясница'] },
        text('ЭКГ', ['Ритм синусовый, ЭОС не отклонена', 'Признаки гипертрофии левого желудочка']),
      ],
    ),
    codes: ['I10', 'I11.9', 'I25.1', 'I20.8', 'I48', 'I49.3'],
    prescriptions: [
      ['Периндоприл 5 мг', 'по 1 таблетке утром', 'постоянно'],
      ['Аторвастатин 20 мг', 'по 1 таблетке вечером', 'постоянно'],
    ],
    recommendations: ['Дневник давления', 'ЭхоКГ', 'Липидограмма через 2 месяца', 'Ограничить соль до 5 г в сутки'],
  },
  {
    name: 'Приём невролога',
    speciality: 'Невролог',
    post: 'невролог',
    form: form(
      [
        'Опрос',
        complaints(['Головная боль давящего характера', 'Боль в пояснице с отдачей в ногу', 'Головокружение']),
        anamnesis,
        { label: 'Боль', type: 'scale', min: 0, max: 10, help: '0 — боли нет, 10 — нестерпимая' },
      ],
      [
        'Неврологический статус',
        choice('Сознание', ['Ясное', 'Оглушение'], { default: 'Ясное' }),
        choice('Зрачки', ['D = S, фотореакции живые', 'Анизокория']),
        choice('Сухожильные рефлексы', ['Живые, D = S', 'Снижены справа', 'Снижены слева', 'Оживлены']),
        choice('Поза Ромберга', ['Устойчив', 'Пошатывание', 'Неустойчив']),
        { label: 'Симптомы натяжения', type: 'multi', options: ['Нет', 'Ласега справа', 'Ласега слева', 'Нери'] },
        text('Чувствительность', ['Не нарушена', 'Гипестезия по корешковому типу']),
      ],
      ['Где болит', { label: 'Схема боли', type: 'picture', picture: 'body' }],
    ),
    codes: ['G44.2', 'M54.5', 'M54.4', 'G43.9', 'M53.0', 'G54.4'],
    prescriptions: [
      ['Мелоксикам 15 мг', 'по 1 таблетке в день после еды', '7 дней'],
      ['Толперизон 150 мг', 'по 1 таблетке 2 раза в день', '10 дней'],
    ],
    recommendations: ['МРТ пояснично-крестцового отдела', 'Лечебная физкультура', 'Избегать подъёма тяжестей'],
  },
  {
    name: 'Приём педиатра',
    speciality: 'Педиатр',
    post: 'педиатр',
    form: form(
      [
        'Опрос',
        complaints(['Кашель, заложенность носа', 'Температура до 38,5', 'Сыпь на теле']),
        anamnesis,
        ...life,
        choice('Прививки', ['По календарю', 'С отставанием', 'Не привит']),
      ],
      [
        'Измерения',
        number('Температура', '°C', 36, 37.2, { digits: 1 }),
        ...body,
        number('Частота дыхания', 'в минуту', 16, 30, { digits: 0 }),
      ],
      [
        'Осмотр',
        state,
        choice('Зев', ['Спокоен', 'Гиперемирован', 'Налёты']),
        choice('Носовое дыхание', ['Свободное', 'Затруднено, слизистое отделяемое', 'Затруднено, гнойное отделяемое']),
        choice('Дыхание', ['Пуэрильное, хрипов нет', 'Жёсткое', 'Хрипы']),
        text('Живот', ['Мягкий, доступен пальпации, безболезненный']),
      ],
    ),
    codes: ['J06.9', 'J00', 'J02.9', 'H66.0', 'Z00.1', 'J20.9'],
    prescriptions: [
      ['Ибупрофен, суспензия', 'по возрасту при температуре выше 38,5', 'до 3 дней'],
      ['Промывание носа солевым раствором', '4 раза в день', '7 дней'],
    ],
    recommendations: ['Домашний режим', 'Обильное питьё', 'Явка при ухудшении'],
  },
  {
    name: 'Приём офтальмолога',
    speciality: 'Офтальмолог',
    post: 'офтальмолог',
    form: form(
      ['Опрос', complaints(['Снижение зрения вдаль', 'Покраснение и слезотечение', 'Утомляемость глаз']), anamnesis],
      [
        'Острота зрения',
        number('Vis OD', '', 0.8, 2, { digits: 2, help: 'Правый глаз, без коррекции' }),
        number('Vis OS', '', 0.8, 2, { digits: 2, help: 'Левый глаз, без коррекции' }),
        { label: 'Рефракция', type: 'table', columns: ['Глаз', 'Sph', 'Cyl', 'Ax'] },
        number('Давление OD', 'мм рт. ст.', 9, 21, { key: 'вгд_од', digits: 0 }),
        number('Давление OS', 'мм рт. ст.', 9, 21, { key: 'вгд_ос', digits: 0 }),
        {
          label: 'Разница давления',
          type: 'calc',
          formula: 'модуль(вгд_од - вгд_ос)',
          digits: 0,
          unit: 'мм рт. ст.',
          min: 0,
          max: 3,
        },
      ],
      [
        'Осмотр',
        choice('Конъюнктива', ['Спокойна', 'Гиперемирована']),
        choice('Роговица', ['Прозрачная', 'Помутнение', 'Эрозия']),
        choice('Хрусталик', ['Прозрачный', 'Помутнение ядра', 'Помутнение коры']),
        { label: 'Глазное дно', type: 'picture', picture: 'eye' },
      ],
    ),
    codes: ['H52.1', 'H10.9', 'H52.4', 'H40.0', 'H25.0', 'H04.1'],
    prescriptions: [['Капли «Искусственная слеза»', 'по 1 капле 3 раза в день в оба глаза', '1 месяц']],
    recommendations: ['Очки для дали', 'Зрительная гимнастика', 'Контроль через 6 месяцев'],
  },
  {
    name: 'Приём дерматолога',
    speciality: 'Дерматолог',
    post: 'дерматолог',
    form: form(
      ['Опрос', complaints(['Зуд и высыпания', 'Шелушение кожи', 'Новообразование на коже']), anamnesis, ...life],
      [
        'Локальный статус',
        {
          label: 'Локализация',
          type: 'multi',
          options: ['Лицо', 'Волосистая часть головы', 'Туловище', 'Руки', 'Ноги', 'Складки'],
        },
        {
          label: 'Элементы',
          type: 'multi',
          options: ['Пятно', 'Папула', 'Везикула', 'Пустула', 'Чешуйка', 'Корка', 'Эрозия'],
        },
        { label: 'Зуд', type: 'scale', min: 0, max: 10 },
        { label: 'Схема высыпаний', type: 'picture', picture: 'body' },
        { label: 'Описание', type: 'rich' },
      ],
    ),
    codes: ['L20.9', 'L70.0', 'L40.9', 'B35.1', 'L50.9', 'D22.9'],
    prescriptions: [
      ['Эмолент', '2 раза в день на сухую кожу', 'постоянно'],
      ['Метилпреднизолона ацепонат, крем', '1 раз в день тонким слоем', '7 дней'],
    ],
    recommendations: [
      'Гипоаллергенная диета',
      'Исключить контакт с моющими средствами',
      'Повторный осмотр через 2 недели',
    ],
  },
  {
    name: 'Приём гинеколога',
    speciality: 'Гинеколог',
    post: 'гинеколог',
    form: form(
      [
        'Опрос',
        complaints(['Боли внизу живота', 'Нерегулярный цикл', 'Плановый осмотр']),
        { label: 'Первый день последней менструации', type: 'date' },
        number('Длительность цикла', 'дней', 21, 35, { digits: 0 }),
        { label: 'Беременностей', type: 'number', digits: 0 },
        choice('Контрацепция', ['Не использует', 'Барьерная', 'Гормональная', 'Внутриматочная']),
      ],
      [
        'Осмотр',
        state,
        choice('Молочные железы', ['Без очаговых образований', 'Есть образования']),
        {
          label: 'Схема молочных желёз',
          type: 'picture',
          picture: 'breast',
          showIf: { field: 'молочные_железы', is: 'equals', value: 'Есть образования' },
        },
        choice('Шейка матки', ['Чистая', 'Эктопия', 'Деформирована']),
        text('Придатки', ['Не определяются, область безболезненна', 'Увеличены']),
      ],
    ),
    codes: ['N94.6', 'N92.6', 'Z01.4', 'N76.0', 'N86', 'N60.1'],
    prescriptions: [['Фолиевая кислота 400 мкг', 'по 1 таблетке в день', '3 месяца']],
    recommendations: ['УЗИ органов малого таза на 5–7 день цикла', 'Мазок на онкоцитологию'],
  },
  {
    name: 'Приём стоматолога',
    speciality: 'Стоматолог',
    post: 'стоматолог',
    form: form(
      ['Опрос', complaints(['Боль от холодного и сладкого', 'Скол зуба', 'Кровоточивость дёсен']), anamnesis, ...life],
      [
        'Полость рта',
        { label: 'Зубная формула', type: 'teeth' },
        choice('Прикус', ['Ортогнатический', 'Глубокий', 'Перекрёстный', 'Открытый']),
        choice('Слизистая', ['Бледно-розовая, увлажнена', 'Гиперемирована']),
        { label: 'Гигиена', type: 'scale', min: 0, max: 3, help: '0 — хорошая, 3 — плохая' },
      ],
      ['План', { label: 'План лечения', type: 'table', columns: ['Зуб', 'Что сделать', 'Когда'] }],
    ),
    codes: ['K02.1', 'K04.0', 'K05.1', 'K03.6', 'K04.5', 'Z01.2'],
    prescriptions: [['Раствор хлоргексидина 0,05 %', 'полоскать 3 раза в день', '7 дней']],
    recommendations: ['Профессиональная гигиена раз в полгода', 'Ирригатор'],
  },
]

export const demoAllergens: readonly (readonly [code: string, name: string])[] = [
  ['penicillin', 'Пенициллины'],
  ['cephalosporin', 'Цефалоспорины'],
  ['nsaid', 'Нестероидные противовоспалительные'],
  ['lidocaine', 'Местные анестетики'],
  ['iodine', 'Йодсодержащие препараты'],
  ['pollen', 'Пыльца деревьев'],
  ['grass', 'Пыльца трав'],
  ['dust', 'Домашняя пыль'],
  ['cat', 'Шерсть кошки'],
  ['nuts', 'Орехи'],
  ['milk', 'Белок коровьего молока'],
  ['latex', 'Латекс'],
]
