import type { Filial } from '@ordinator/model/areas/filials/filial'
import type {
  BankAccount,
  InsuranceProgramme,
  Organization,
  Signatory,
} from '@ordinator/model/areas/filials/organization'
import type { Sequence } from '@ordinator/model/areas/filials/sequence'
import type { Create } from '@ordinator/model/entity'
import type { Hours, WorkingHours } from '@ordinator/model/hours'

const week = (work: Hours, saturday: Hours | null, sunday: Hours | null): WorkingHours => ({
  monday: work,
  tuesday: work,
  wednesday: work,
  thursday: work,
  friday: work,
  saturday,
  sunday,
})
const hours = (start: string, end: string): Hours => ({ start, end })

interface DemoFilial {
  filial: Create<typeof Filial>
  /** Name, equipment, places. */
  rooms: readonly (readonly [name: string, equipment?: string, capacity?: number])[]
}

/** The three branches of the demo clinic. */
export const demoFilials: readonly DemoFilial[] = [
  {
    filial: {
      nameFilial: 'Филиал на Ленина',
      shortFilialName: 'Ленина',
      filialCode: 'ЛЕН',
      labelColor: '#0c8599',
      filialAddress: '443010, г. Самара, ул. Ленина, д. 24',
      filialAddressFact: 'г. Самара, ул. Ленина, д. 24, вход со двора',
      cityName: 'Самара',
      timeZone: 'Europe/Samara',
      regionName: 'Самарская область',
      latitude: 53.195878,
      longitude: 50.100202,
      filialPhone: '+79000003001',
      workingHours: week(hours('08:00', '20:00'), hours('09:00', '16:00'), null),
      cdekPVZ: 'SMR24',
      departmentOID: '1.2.643.5.1.13.13.12.2.63.6301.0.101',
      mdlpPlace: '00000000100931',
    },
    rooms: [
      ['101', 'Кабинет терапевта: ЭКГ-аппарат, негатоскоп'],
      ['102', 'Кабинет хирурга: перевязочный стол, стерилизатор'],
      ['103', 'Кабинет УЗИ: аппарат экспертного класса'],
      ['104', 'Кабинет офтальмолога: щелевая лампа, авторефрактометр'],
      ['Процедурная', 'Кушетки, холодильник для вакцин', 3],
      ['Рентген', 'Цифровой рентгеновский аппарат, просвинцованная защита'],
      ['Дневной стационар', 'Койки с инфузоматами', 6],
    ],
  },
  {
    filial: {
      nameFilial: 'Филиал на Садовой',
      shortFilialName: 'Садовая',
      filialCode: 'САД',
      labelColor: '#6741d9',
      filialAddress: '443041, г. Самара, ул. Садовая, д. 210',
      filialAddressFact: 'г. Самара, ул. Садовая, д. 210, 1–2 этажи',
      cityName: 'Самара',
      timeZone: 'Europe/Samara',
      regionName: 'Самарская область',
      latitude: 53.190112,
      longitude: 50.112345,
      filialPhone: '+79000003002',
      workingHours: week(hours('07:30', '21:00'), hours('08:00', '18:00'), hours('09:00', '15:00')),
      departmentOID: '1.2.643.5.1.13.13.12.2.63.6301.0.102',
      mdlpPlace: '00000000100932',
    },
    rooms: [
      ['1', 'Кабинет кардиолога: холтер, велоэргометр'],
      ['2', 'Кабинет гинеколога: кольпоскоп'],
      ['3', 'Стоматология: установка, визиограф'],
      ['4', 'Стоматология: установка, микроскоп'],
      ['Процедурная', 'Забор биоматериала, центрифуга', 2],
      ['5', 'Кабинет эндоскопии: видеостойка'],
      ['6', 'Рентген: маммограф, денситометр'],
      ['7', 'Кабинет травматолога: аппарат УВТ'],
    ],
  },
  {
    filial: {
      nameFilial: 'Детский центр',
      shortFilialName: 'Детский',
      filialCode: 'ДЕТ',
      labelColor: '#e8590c',
      filialAddress: '443096, г. Самара, ул. Мичурина, д. 15',
      filialAddressFact: 'г. Самара, ул. Мичурина, д. 15',
      cityName: 'Самара',
      timeZone: 'Europe/Samara',
      regionName: 'Самарская область',
      latitude: 53.213456,
      longitude: 50.168901,
      filialPhone: '+79000003003',
      workingHours: week(hours('08:00', '19:00'), hours('09:00', '14:00'), null),
      departmentOID: '1.2.643.5.1.13.13.12.2.63.6301.0.103',
      mdlpPlace: '00000000100933',
    },
    rooms: [
      ['Педиатр 1', 'Весы, ростомер, пеленальный стол'],
      ['Педиатр 2', 'Весы, ростомер, пеленальный стол'],
      ['Прививочная', 'Холодильник для вакцин, укладка неотложной помощи'],
      ['Логопед', 'Зеркала, массажные зонды'],
      ['ЛФК', 'Шведская стенка, мячи, маты', 8],
      ['Физиокабинет', 'Аппараты электролечения и лазера'],
      ['Психолог'],
    ],
  },
]

/** Special days of the next New Year: month and day, reason, and opening hours. */
export const demoHolidays: readonly (readonly [day: string, reason: string, hours?: Hours])[] = [
  ['12-31', 'Канун Нового года', hours('08:00', '14:00')],
  ['01-01', 'Новый год'],
  ['01-02', 'Новогодние каникулы'],
  ['01-07', 'Рождество'],
]

interface DemoOrganization {
  organization: Create<typeof Organization>
  accounts: readonly Omit<Create<typeof BankAccount>, 'idOrganization'>[]
  signatories?: readonly Omit<Create<typeof Signatory>, 'idOrganization'>[]
  programmes?: readonly Omit<Create<typeof InsuranceProgramme>, 'idOrganization'>[]
}

const banks = {
  volga: {
    bik: '043601607',
    corrAccount: '30101810200000000607',
    bankName: 'Поволжский банк ПАО Сбербанк, г. Самара',
  },
  sber: { bik: '044525225', corrAccount: '30101810400000000225', bankName: 'ПАО Сбербанк, г. Москва' },
  alfa: { bik: '044525593', corrAccount: '30101810200000000593', bankName: 'АО «Альфа-Банк», г. Москва' },
  vtb: { bik: '044525187', corrAccount: '30101810700000000187', bankName: 'Банк ВТБ (ПАО), г. Москва' },
} as const

/** Organizations of the demo clinic and its partners: invented, with valid numbers. */
export const demoOrganizations: readonly DemoOrganization[] = [
  {
    organization: {
      shortName: 'ООО «Волжский доктор»',
      fullName: 'Общество с ограниченной ответственностью «Медицинский центр „Волжский доктор“»',
      kind: 'own',
      inn: '6315004112',
      kpp: '631501001',
      ogrn: '1166315004118',
      oid: '1.2.643.5.1.13.13.12.2.63.6301',
      legalAddress: '443010, г. Самара, ул. Ленина, д. 24',
      phone: '+79000003001',
      email: 'info@clinic.example',
      taxSystem: 'osn',
      licenceNumber: 'Л041-01184-63/00301122',
      licenceDate: '2019-06-14',
      licenceIssuer: 'Министерство здравоохранения Самарской области',
    },
    accounts: [
      { ...banks.volga, account: '40702810154400012345', isMain: true },
      { ...banks.alfa, account: '40702810400000054321' },
    ],
    signatories: [
      { fio: 'Орлова Марина Викторовна', post: 'Генеральный директор', basis: 'Устава' },
      { fio: 'Белова Ирина Сергеевна', post: 'Главный бухгалтер', basis: 'Доверенности № 3 от 12.01.2026' },
    ],
  },
  {
    organization: {
      shortName: 'АО «СК „Опора“»',
      fullName: 'Акционерное общество «Страховая компания „Опора“»',
      kind: 'insurer',
      inn: '7709005227',
      kpp: '770901001',
      ogrn: '1037709005223',
      legalAddress: '109028, г. Москва, ул. Земляной Вал, д. 50А',
      phone: '+79000003011',
      email: 'dms@opora.example',
    },
    accounts: [{ ...banks.sber, account: '40702810800000054321', isMain: true }],
    programmes: [
      { name: 'Поликлиника «Стандарт»', code: 'ОП-ПС', dateFrom: '2026-01-01', dateTo: '2026-12-31' },
      {
        name: 'Поликлиника «Премиум»',
        code: 'ОП-ПП',
        dateFrom: '2026-01-01',
        dateTo: '2026-12-31',
        description: 'Включает стоматологию и вызов врача на дом',
      },
    ],
  },
  {
    organization: {
      shortName: 'ПАО «Надёжный полис»',
      fullName: 'Публичное акционерное общество «Страховая группа „Надёжный полис“»',
      kind: 'insurer',
      inn: '7813006330',
      kpp: '781301001',
      ogrn: '1047813006339',
      legalAddress: '197101, г. Санкт-Петербург, Каменноостровский пр., д. 11',
      phone: '+79000003012',
    },
    accounts: [{ ...banks.vtb, account: '40702810300000077777', isMain: true }],
    programmes: [
      { name: 'Корпоративная «Офис»', code: 'НП-101', dateFrom: '2026-03-01', dateTo: '2027-02-28' },
      { name: 'Детская «Малыш»', code: 'НП-205', dateFrom: '2026-03-01' },
    ],
  },
  {
    organization: {
      shortName: 'ООО «СК „Волга-Мед“»',
      kind: 'insurer',
      inn: '6319008559',
      kpp: '631901001',
      ogrn: '1156319008559',
      legalAddress: '443068, г. Самара, ул. Ново-Садовая, д. 106',
      phone: '+79000003013',
    },
    accounts: [{ ...banks.volga, account: '40702810400000077777', isMain: true }],
    programmes: [
      { name: 'Базовая', code: 'ВМ-1', dateFrom: '2025-07-01' },
      { name: 'Беременность и роды', code: 'ВМ-7', dateFrom: '2025-07-01', dateTo: '2026-06-30', active: false },
    ],
  },
  {
    organization: {
      shortName: 'ООО «МедСнаб Поволжье»',
      kind: 'supplier',
      inn: '7736009661',
      kpp: '773601001',
      ogrn: '1087736009668',
      phone: '+79000003021',
      taxSystem: 'osn',
      isVatPayer: true,
      vatRate: 'vat10',
    },
    accounts: [{ ...banks.alfa, account: '40702810400000077777', isMain: true }],
  },
  {
    organization: {
      shortName: 'ИП Крылов П. А.',
      fullName: 'Индивидуальный предприниматель Крылов Павел Андреевич',
      kind: 'supplier',
      inn: '631601234522',
      ogrn: '315631600012344',
      phone: '+79000003022',
      taxSystem: 'usnIncome',
    },
    accounts: [{ ...banks.sber, account: '40802810100000012345', isMain: true }],
  },
  {
    organization: {
      shortName: 'ООО «Лаборатория „Анализ“»',
      kind: 'laboratory',
      inn: '6317007447',
      kpp: '631701001',
      ogrn: '1106317007444',
      oid: '1.2.643.5.1.13.13.12.2.63.6377',
      phone: '+79000003031',
      licenceNumber: 'Л041-01184-63/00377014',
      licenceDate: '2021-02-08',
      licenceIssuer: 'Министерство здравоохранения Самарской области',
    },
    accounts: [{ ...banks.vtb, account: '40702810054400012345', isMain: true }],
  },
]

export const demoSequences: readonly Create<typeof Sequence>[] = [
  { name: 'Договоры', code: 'contract', mask: '{ФИЛ}-{YYYY}-{00000}', reset: 'year', perFilial: true },
  { name: 'Акты', code: 'act', mask: '{ФИЛ}/{YY}{MM}-{0000}', reset: 'month', perFilial: true },
  { name: 'Карты пациентов', code: 'card', mask: '{00000}', reset: 'never' },
]

export const readySequences: readonly Create<typeof Sequence>[] = [
  { name: 'Договоры', code: 'contract', mask: '{YYYY}-{00000}', reset: 'year' },
  { name: 'Акты', code: 'act', mask: '{YY}{MM}-{0000}', reset: 'month' },
  { name: 'Карты пациентов', code: 'card', mask: '{00000}', reset: 'never' },
]
