/** Sample data of one document of each type, as the sources provide them. Invented people. */
const kinds: Record<string, Record<string, unknown>> = {
  taxCertificate: {
    templateId: '1.2.643.5.1.13.13.14.52.9.2',
    type: '52',
    typeName: 'Справка об оплате медицинских услуг',
    needsInn: true,
    timesAreNull: true,
  },
  consultation: { templateId: '1.2.643.5.1.13.2.7.5.1.5.9.4', type: '5', typeName: 'Протокол консультации' },
  laboratory: { templateId: '1.2.643.5.1.13.13.14.7.9.5', type: '7', typeName: 'Протокол лабораторного исследования' },
}
const address = {
  text: '443001, Самарская область, г. Самара, ул. Садовая, д. 1',
  region: '63',
  regionName: 'Самарская область',
  post: '443001',
}
const person = {
  id: 5,
  snils: '11223344595',
  post: '109',
  postName: 'врач-терапевт',
  phone: '+78460000000',
  surname: 'Тестов',
  name: 'Иван',
  patronymic: 'Петрович',
}
const result = (code: string, name: string, value: string) => ({
  code,
  fullName: name,
  name,
  value,
  date: '2026-11-26T11:00:00+04:00',
})
const measured = (code: string, name: string, value: string, unit: { code: string; name: string }) => ({
  ...result(code, name, value),
  ...{ number: value, unit, barcode: '1234567890', device: 'kx21' },
})
const described = (code: string, name: string, value: string) => ({
  ...result(code, name, value),
  ...{ barcode: '1234567891', device: 'manual' },
})
export const sampleData = (name: string): Record<string, unknown> => ({
  kind: kinds[name],
  org: {
    oid: '1.2.643.5.1.13.13.12.2.63.9999',
    name: 'ООО «Волга-Доктор»',
    ogrn: '1026300000018',
    inn: '6316000009',
    phone: '+78460000001',
    address,
    licence: { number: 'Л041-01184-63/00000001', issuer: 'Министерство здравоохранения Самарской области' },
  },
  system: { number: '1', instance: '1' },
  versions: {
    kinds: '7.24',
    posts: '7.5',
    specimens: '2.4',
    units: '3.23',
    tests: '3.50',
    panels: '1.1',
    services: '2.9',
    icd10: '2.19',
  },
  document: {
    number: 'doc-1',
    set: 'set-1',
    version: 1,
    title: kinds[name]?.typeName,
    date: '2026-11-26T09:30:00+04:00',
  },
  patient: {
    number: '17',
    snils: '11223344595',
    surname: 'Тестова',
    name: 'Анна',
    patronymic: 'Ивановна',
    gender: { code: '2', name: 'Женский' },
    birthday: '1990-05-17',
    phone: '+79270000000',
    address,
    passport: { series: '3604', number: '123456', issuer: 'ОУФМС', issuerCode: '630-001', date: '2010-01-01' },
  },
  doctor: person,
  signer: person,
  tax: {
    year: 2026,
    from: '2026-01-01',
    to: '2026-12-31',
    contract: 'Д-17',
    payerInn: '500100732259',
    payer: { surname: 'Тестов', name: 'Пётр' },
    sum: '12500.00',
    relation: { code: '1', name: 'Мать' },
    service: { code: '1', name: 'Медицинские услуги' },
  },
  lab: {
    order: '77',
    from: '2026-11-26T08:00:00+04:00',
    to: '2026-11-26T12:00:00+04:00',
    specimens: [
      {
        code: '108',
        name: 'Венозная кровь',
        barcode: '1234567890',
        taken: '2026-11-26T08:00:00+04:00',
        received: '2026-11-26T08:20:00+04:00',
        amount: '2',
        unit: { code: '17', name: 'мл' },
      },
      // A tube whose volume was not measured.
      {
        code: '145',
        name: 'Моча',
        barcode: '1234567891',
        taken: '2026-11-26T08:05:00+04:00',
        received: '2026-11-26T08:20:00+04:00',
        unit: { code: '17', name: 'мл' },
      },
    ],
    devices: [
      { code: 'kx21', name: 'Sysmex KX-21' },
      { code: 'manual', name: 'Ручная методика' },
    ],
    panels: [
      {
        code: '',
        name: 'Общий анализ крови',
        tests: [
          {
            code: '1017058',
            fullName: 'Гемоглобин общий, массовая концентрация в крови',
            name: 'Гемоглобин',
            value: '135',
            number: '135',
            unit: { code: '214', name: 'г/л' },
            date: '2026-11-26T11:00:00+04:00',
            interpretation: { code: 'N', name: 'В пределах референтного диапазона' },
            barcode: '1234567890',
            device: 'kx21',
            norm: { text: '120–150 г/л', low: '120', high: '150' },
          },
          {
            ...measured('1008184', 'С-реактивный белок', '12', { code: '199', name: 'мг/л' }),
            interpretation: { code: 'H', name: 'Выше референтного диапазона' },
            norm: { text: 'до 5', high: '5' },
          },
          {
            ...measured('1009471', 'Холестерин ЛПВП', '0.9', { code: '181', name: 'ммоль/л' }),
            interpretation: { code: 'L', name: 'Ниже референтного диапазона' },
            norm: { text: 'более 1,2', low: '1.2' },
          },
        ],
      },
      {
        code: '',
        name: 'Общий анализ мочи',
        tests: [
          // A text value with a text norm, and a value without an interpretation.
          {
            ...described('1003169', 'Белок общий в моче', 'не обнаружено'),
            interpretation: { code: 'N', name: 'В пределах референтного диапазона' },
            norm: { text: 'не обнаружено' },
          },
          described('1201375', 'Эозинофилы в моче', 'единичные'),
        ],
      },
    ],
    services: [{ code: 'B03.016.002', name: 'Общий (клинический) анализ крови', date: '2026-11-26T11:00:00+04:00' }],
  },
  contract: { number: 'Д-17', from: '2026-01-05' },
  outcome: { code: '1', name: 'Удовлетворительное' },
  protocol: 'Осмотр: зев гиперемирован',
  conclusion: 'ОРВИ',
  visit: {
    place: { code: '1', name: 'Поликлиника' },
    number: 'v-1',
    from: '2026-11-26T09:00:00+04:00',
    to: '2026-11-26T09:30:00+04:00',
  },
  complaints: 'Кашель',
  anamnesis: 'Болен три дня',
  recommendations: 'Пить воду',
  sections: [{ title: 'Осмотр', fields: [{ label: 'Зев', value: 'гиперемирован' }] }],
  diagnoses: [
    {
      code: 'J06.9',
      name: 'Острая инфекция верхних дыхательных путей неуточненная',
      kindCode: '1',
      kindName: 'Основное заболевание',
    },
  ],
  service: { code: 'B01.047.001', name: 'Прием (осмотр, консультация) врача-терапевта первичный' },
})
