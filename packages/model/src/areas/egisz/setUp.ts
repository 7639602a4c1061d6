import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { text } from '../../fields/text.ts'
import { settingsAccess } from '../exchange/webhook.ts'
import { findingSources, severities } from './semd.ts'

/** Maximum bytes of one schema or template file. */
export const MAX_EDITION_FILE = 1_400_000

const oidRule = (value: string) => (/^\d+(\.\d+)+$/.test(value) ? undefined : 'ОИД — числа через точку: 1.2.643.5.1.13')

/**
 * Files that build and check documents of one edition: the CDA template and the ministry's schemas, as delivered to the
 * clinic. Three kinds have a built-in template; any other kind needs only its files.
 */
export const EgiszEdition = entity('egisz/editions', {
  label: ['Комплект схем ЭМД', 'комплекта схем ЭМД', 'комплектов схем ЭМД'],
  gender: 'm',
  registry: {
    columns: ['name', 'code', 'typeCode', 'templateId', 'hasTemplate', 'schemaFiles', 'schematronRules', 'dateChange'],
    form: ['code', 'name', 'typeCode', 'typeName', 'templateId', 'ready'],
    empty: {
      title: 'Схем пока нет',
      text: 'Загрузите схемы и схематрон Минздрава для каждого вида документа: без них проверка неполная.',
    },
  },
  fields: {
    code: text({
      label: 'Код документа в справочнике НСИ',
      help: 'Тот же, что у вида на странице «Документы РЭМД»',
      required: true,
      max: 10,
      search: true,
      unique: true,
      rule: (value) => (/^\d+$/.test(value) ? undefined : 'Код — это число: 290'),
    }),
    name: text({ label: 'Название', required: true, max: 300, search: true }),
    typeCode: text({
      label: 'Код вида',
      help: 'Справочник 1.2.643.5.1.13.13.11.1522: 5 — протокол консультации',
      required: true,
      max: 10,
      rule: (value) => (/^\d+$/.test(value) ? undefined : 'Код — это число: 5'),
    }),
    typeName: text({ label: 'Название вида', required: true, max: 300 }),
    templateId: text({ label: 'ОИД руководства (templateId)', required: true, max: 64, rule: oidRule }),
    ready: choice(
      {
        none: 'Нет: шаблон загружает клиника',
        consultation: 'Протокол консультации',
        laboratory: 'Протокол лабораторного исследования',
        taxCertificate: 'Справка об оплате',
      },
      { label: 'Готовый шаблон', help: 'Свой загруженный шаблон идёт впереди готового', default: 'none' },
    ),
    hasTemplate: boolean({ label: 'Свой шаблон', computed: true, required: true }),
    schemaFiles: integer({ label: 'Файлов схемы', computed: true, required: true }),
    schematronRules: integer({ label: 'Правил схематрона', computed: true }),
    dateCreate: dateTime({ label: 'Добавлены', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменены', auto: 'changed' }),
  },
  access: settingsAccess,
  title: 'name',
  sort: 'name,id',
  soft: true,
})

/** Severity of a rule: some of the ministry's rules contradict its own examples. */
export const EgiszRule = entity('egisz/rules', {
  label: ['Правило проверки ЭМД', 'правила проверки ЭМД', 'правил проверки ЭМД'],
  gender: 'n',
  registry: {
    columns: ['source', 'code', 'severity', 'document', 'reason'],
    form: ['source', 'code', 'severity', 'document', 'reason'],
    empty: {
      title: 'Все правила строгие',
      text: 'Если правило Минздрава противоречит его же примерам, смягчите его здесь.',
    },
  },
  fields: {
    source: choice(findingSources, { label: 'Откуда правило', required: true }),
    code: text({
      label: 'Правило',
      help: 'Как в списке ошибок: У1-12. Справочник — его ОИД',
      required: true,
      max: 64,
      search: true,
    }),
    severity: choice(severities, { label: 'Строгость', required: true, default: 'warning' }),
    document: text({ label: 'Код документа', help: 'Пусто — для всех видов', max: 10 }),
    reason: text({ label: 'Почему', required: true, max: 500, search: true }),
    dateCreate: dateTime({ label: 'Добавлено', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
  },
  access: settingsAccess,
  unique: [['source', 'code', 'document']],
  emptyIsSame: true,
  title: 'code',
  sort: 'source,code,id',
  soft: true,
})

export const dictionaryStates = {
  none: 'Не загружен',
  loading: 'Загружается',
  loaded: 'Загружен',
  failed: 'Не загрузился',
} as const

/**
 * A dictionary of НСИ by its OID: one complete version is in use; the next one is loaded aside and then switched to.
 */
export const NsiDictionary = entity('egisz/dictionaries', {
  label: ['Справочник НСИ', 'справочника НСИ', 'справочников НСИ'],
  gender: 'm',
  registry: {
    columns: ['name', 'oid', 'version', 'rows', 'state', 'datePublished', 'dateLoaded', 'active'],
    form: ['oid', 'name', 'codeColumn', 'nameColumn', 'active'],
    empty: {
      title: 'Справочников пока нет',
      text: 'Добавьте справочник по его ОИД: по нему будут проверены коды документов.',
    },
  },
  fields: {
    oid: text({ label: 'ОИД', required: true, max: 64, search: true, unique: true, rule: oidRule }),
    name: text({ label: 'Название', required: true, max: 300, search: true }),
    codeColumn: text({ label: 'Столбец кода', help: 'Пусто — первый ключ из паспорта справочника', max: 64 }),
    nameColumn: text({ label: 'Столбец названия', help: 'Пусто — NAME', max: 64 }),
    active: boolean({ label: 'Проверять по нему', default: true }),
    version: text({ label: 'Версия', readonly: true, max: 32 }),
    rows: integer({ label: 'Строк', readonly: true, default: 0 }),
    datePublished: text({ label: 'Опубликован', readonly: true, max: 32 }),
    dateLoaded: dateTime({ label: 'Загружен', readonly: true }),
    state: choice(dictionaryStates, { label: 'Состояние', readonly: true, default: 'none' }),
    progress: integer({ label: 'Загружено строк', readonly: true, default: 0 }),
    error: text({ label: 'Почему не загрузился', readonly: true, max: 500 }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: settingsAccess,
  title: 'name',
  sort: 'name,id',
  soft: true,
})
