import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Code of the dictionary of diagnoses. */
export const ICD10 = 'icd10'

/** Freshness of a copy of a state dictionary: checked every `checkDays` days. */
export const dictionaryStates = {
  fresh: 'Сверен',
  due: 'Пора сверить',
  empty: 'Пуст',
  own: 'Свой список',
} as const

const access = {
  view: [
    'viewExaminations',
    'examinationTemplatesSettings',
    'viewForeignExaminationTemplates',
    'viewElnList',
    'mainSettings',
  ],
  create: 'mainSettings',
  update: 'mainSettings',
  delete: 'mainSettings',
} as const

/** A list of terms for examinations: МКБ-10, or a list of the clinic. */
export const Dictionary = entity('dictionaries', {
  label: ['Справочник', 'справочника', 'справочников'],
  gender: 'm',
  registry: {
    columns: ['name', 'code', 'termsCount', 'state', 'edition', 'dateLoad', 'oid', 'source'],
    form: ['name', 'code', 'oid', 'edition', 'checkDays', 'source'],
    empty: {
      title: 'Справочников пока нет',
      text: 'Заведите список, из которого выбирают в осмотре, и загрузите его из файла.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    code: text({
      label: 'Код',
      required: true,
      fixed: true,
      max: 40,
      unique: true,
      help: 'По нему справочник находят шаблоны',
      rule: (value) => (/^[a-z][a-z0-9-]*$/.test(value) ? undefined : 'Латинские строчные буквы, цифры и дефис'),
    }),
    oid: identifier('oid', {
      label: 'ОИД в НСИ',
      help: 'По нему список знает ЕГИСЗ; у своих списков его нет',
      unique: true,
      search: true,
    }),
    edition: text({ label: 'Редакция', help: 'Как на портале НСИ: 2.27', max: 40 }),
    checkDays: integer({ label: 'Сверять раз в, дней', default: 90, min: 1, max: 999 }),
    source: text({ label: 'Откуда список', max: 500, multiline: true, help: 'Издание, дата, кем утверждён' }),
    termsCount: integer({ label: 'Действует терминов', computed: true, lazy: true }),
    dateLoad: dateTime({ label: 'Загружен из файла', computed: true, lazy: true }),
    state: choice(dictionaryStates, { label: 'Состояние', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: {
    terms: many('dictionaries/terms', 'idDictionary'),
    synonyms: many('dictionaries/synonyms', 'idDictionary'),
  },
  access,
  kept: ({ code }: { code: string }) => (code === ICD10 ? 'По МКБ-10 ставят диагнозы: его не удаляют' : undefined),
  title: 'name',
  sort: 'name,id',
  soft: true,
})

/** Name of a term over a period: a new edition ends the former name and starts another. */
export const DictionaryTerm = entity('dictionaries/terms', {
  label: ['Термин', 'термина', 'терминов'],
  gender: 'm',
  registry: { empty: { title: 'Терминов нет', text: 'Загрузите их из файла или добавьте по одному.' } },
  fields: {
    idDictionary: ref('dictionaries', {
      label: 'Справочник',
      as: 'dictionary',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    code: text({ label: 'Код', required: true, max: 40, search: true }),
    name: text({ label: 'Название', required: true, max: 500, search: true }),
    group: text({ label: 'Группа', max: 300 }),
    dateFrom: date({ label: 'Действует с', required: true }),
    dateTo: date({ label: 'По', help: 'Пусто — без срока' }),
  },
  access,
  within: 'idDictionary',
  disjoint: { same: ['idDictionary', 'code'], from: 'dateFrom', to: 'dateTo' },
  title: 'name',
  sort: 'code,id',
  soft: true,
})

/** Search words for terms, beside their names: «гипертония», «сд 2», «перелом руки». */
export const DictionarySynonym = entity('dictionaries/synonyms', {
  label: ['Синоним', 'синонима', 'синонимов'],
  gender: 'm',
  registry: { empty: { title: 'Синонимов нет', text: 'Добавьте слова, которыми называют диагноз, и его коды.' } },
  fields: {
    idDictionary: ref('dictionaries', {
      label: 'Справочник',
      as: 'dictionary',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    name: text({ label: 'Как ищут', required: true, max: 120, search: true, help: 'Слова или сокращение: сд 2 типа' }),
    codes: text({
      label: 'Коды',
      required: true,
      max: 200,
      help: 'Через запятую: I10, I11. Код рубрики находит и её подрубрики',
    }),
  },
  access,
  within: 'idDictionary',
  unique: [['idDictionary', 'name']],
  title: 'name',
  sort: 'name,id',
  soft: true,
})
