/** Fixed lists of the laboratory: materials, storage, caps, sections. */

export const biomaterials = {
  venous: 'Кровь венозная',
  capillary: 'Кровь капиллярная',
  serum: 'Сыворотка крови',
  plasma: 'Плазма крови',
  urine: 'Моча',
  dailyUrine: 'Моча суточная',
  stool: 'Кал',
  smear: 'Мазок',
  scraping: 'Соскоб',
  saliva: 'Слюна',
  sputum: 'Мокрота',
  semen: 'Эякулят',
  tissue: 'Биоптат',
} as const
export type Biomaterial = keyof typeof biomaterials

/** Storage and transport temperatures of a sample, in degrees Celsius. */
export const temperatures = { room: '+18…25 °C', cold: '+2…8 °C', frozen: '−20 °C' } as const
export type TempMode = keyof typeof temperatures
/** Range of each, for the temperature noted in a transfer act. */
export const temperatureRange: Readonly<Record<TempMode, readonly [number, number]>> = {
  room: [18, 25],
  cold: [2, 8],
  frozen: [-30, -15],
}

/** Colours of tube caps, by their usual names. */
export const caps = {
  bottle: 'Флакон',
  blue: 'Голубая',
  red: 'Красная',
  yellow: 'Жёлтая',
  green: 'Зелёная',
  violet: 'Фиолетовая',
  grey: 'Серая',
  black: 'Чёрная',
  white: 'Белая',
  none: 'Без крышки',
} as const
export type Cap = keyof typeof caps
export const capColors: Readonly<Record<Cap, string>> = {
  bottle: '#b58900',
  blue: '#74c0fc',
  red: '#e03131',
  yellow: '#fcc419',
  green: '#2f9e44',
  violet: '#9c36b5',
  grey: '#868e96',
  black: '#343a40',
  white: '#dee2e6',
  none: '#adb5bd',
}

/** Departments that divide a work list. */
export const sections = {
  hematology: 'Гематология',
  biochemistry: 'Биохимия',
  coagulation: 'Гемостаз',
  hormones: 'Гормоны и онкомаркеры',
  immunology: 'Иммунология и серология',
  urine: 'Общеклинические',
  pcr: 'ПЦР',
  microbiology: 'Микробиология',
  cytology: 'Цитология и гистология',
  allergy: 'Аллергология',
} as const
export type Section = keyof typeof sections

export const urgencies = { routine: 'Обычный', cito: 'Cito' } as const
export type Urgency = keyof typeof urgencies

export const laboratoryKinds = { own: 'Своя', partner: 'Партнёр' } as const
export type LaboratoryKind = keyof typeof laboratoryKinds

export const valueTypes = {
  number: 'Число',
  text: 'Текст',
  enum: 'Выбор из списка',
  titer: 'Титр',
} as const
export type ValueType = keyof typeof valueTypes

export const normSexes = { male: 'Мужчины', female: 'Женщины' } as const
export type NormSex = keyof typeof normSexes
export const trimesters = { first: 'I триместр', second: 'II триместр', third: 'III триместр' } as const
export type Trimester = keyof typeof trimesters
export const cyclePhases = {
  follicular: 'Фолликулярная фаза',
  ovulatory: 'Овуляция',
  luteal: 'Лютеиновая фаза',
  menopause: 'Постменопауза',
} as const
export type CyclePhase = keyof typeof cyclePhases
