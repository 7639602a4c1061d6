import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { type ExaminationForm, isObject, ownPicturesOf } from './form.ts'
import { wrongForm } from './wrongForm.ts'

export const templateView = [
  'viewExaminations',
  'examinationTemplatesSettings',
  'viewForeignExaminationTemplates',
] as const

const form = json<ExaminationForm>()

/** Template of an examination: a user's own, or shared. Each change of its form creates a version. */
export const ExaminationTemplate = entity('examination-templates', {
  label: ['Шаблон осмотра', 'шаблона осмотра', 'шаблонов осмотра'],
  gender: 'm',
  registry: {
    columns: ['name', 'idSpeciality', 'isShared', 'idUser', 'version', 'dateChange'],
    form: ['name', 'idSpeciality', 'semdKind', 'isShared', 'forPatient', 'active'],
    empty: { title: 'Шаблонов пока нет', text: 'Составьте шаблон из разделов и полей или загрузите готовый из файла.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 200, search: true }),
    idSpeciality: ref('specialities', {
      label: 'Специальность',
      as: 'speciality',
      onDelete: 'set null',
      whenDeleted: 'asks',
    }),
    semdKind: text({ label: 'Вид СЭМД', max: 200, help: 'Каким электронным документом станет осмотр' }),
    isShared: boolean({
      label: 'Виден всем',
      default: false,
      help: 'Иначе он виден вам и тем, кому видны чужие шаблоны',
    }),
    forPatient: boolean({
      label: 'Виден пациенту',
      default: false,
      help: 'Подписанные осмотры пациент читает и скачивает в личном кабинете: и те, что подписаны раньше',
    }),
    active: boolean({ label: 'Действует', default: true, help: 'По недействующему новых осмотров не начинают' }),
    form: form({ label: 'Разделы и поля', default: { sections: [] }, rule: wrongForm, briefly: true }),
    /** Number of the current form. */
    version: integer({ label: 'Версия', required: true, readonly: true }),
    idUser: ref('users', { label: 'Автор', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { versions: many('examination-templates/versions', 'idTemplate') },
  instead: 'Сначала врачи подпишут или удалят их',
  access: {
    view: templateView,
    create: 'examinationTemplatesSettings',
    update: 'examinationTemplatesSettings',
    delete: 'examinationTemplatesSettings',
  },
  title: 'name',
  sort: 'name,id',
  soft: true,
})

/** The form from a moment on. An examination keeps the version it was started with. */
export const ExaminationTemplateVersion = entity('examination-templates/versions', {
  label: ['Версия шаблона', 'версии шаблона', 'версий шаблона'],
  gender: 'f',
  fields: {
    idTemplate: ref('examination-templates', {
      label: 'Шаблон',
      as: 'template',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    number: integer({ label: 'Версия', required: true, readonly: true, min: 1 }),
    form: form({ label: 'Разделы и поля', required: true, readonly: true }),
    dateCreate: dateTime({ label: 'Сохранена', auto: 'created' }),
    idUser: ref('users', { label: 'Кто сохранил', as: 'user', auto: 'actor' }),
  },
  access: { view: templateView },
  within: 'idTemplate',
  unique: [['idTemplate', 'number']],
  title: 'number',
  sort: '-number',
})

/** An exported template, for import into another clinic. */
export interface TemplateFile {
  format: typeof TEMPLATE_FORMAT
  name: string
  semdKind?: string | null
  form: ExaminationForm
  /** Own pictures of the form by name: data URLs. */
  pictures?: Record<string, string>
}
const TEMPLATE_FORMAT = 'ordinator/examination-template/1'
/** Characters of the form in an imported file; more than a valid form has. */
const MAX_FORM_TEXT = 200_000
/** Bytes of an uploaded picture. */
export const MAX_OWN_PICTURE = 500_000
/** Characters of a file, including pictures. */
export const MAX_TEMPLATE_FILE = 8_000_000
export const GIVEN_PICTURE = /^data:image\/(png|jpeg|svg\+xml);base64,[A-Za-z\d+/]+={0,2}$/

export const templateFile = ({ name, semdKind, form, pictures = {} }: Omit<TemplateFile, 'format'>): string =>
  `${JSON.stringify({ format: TEMPLATE_FORMAT, name, ...(semdKind && { semdKind }), form, ...(Object.keys(pictures).length && { pictures }) } satisfies TemplateFile, null, 2)}\n`

/** Parses an exported or handwritten file; returns its contents, or the error in Russian. */
export function readTemplateFile(written: string): { file: Omit<TemplateFile, 'format'> } | { wrong: string } {
  if (written.length > MAX_TEMPLATE_FILE) return { wrong: 'Файл слишком велик для шаблона' }
  let content: unknown
  try {
    content = JSON.parse(written.replace(/^\uFEFF/, ''))
  } catch {
    return { wrong: 'Это не файл шаблона: нужен JSON, выгруженный из «Ординатора»' }
  }
  if (!isObject(content) || content.format !== TEMPLATE_FORMAT)
    return { wrong: `Это не файл шаблона: в нём нет строки "format": "${TEMPLATE_FORMAT}"` }
  const strange = Object.keys(content).find((key) => !['format', 'name', 'semdKind', 'form', 'pictures'].includes(key))
  if (strange) return { wrong: `В файле лишнее: «${strange.slice(0, 40)}»` }
  const { name, semdKind } = content
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
    return { wrong: 'В файле нет названия шаблона (name)' }
  if (semdKind !== undefined && semdKind !== null && (typeof semdKind !== 'string' || semdKind.length > 200))
    return { wrong: 'Вид СЭМД (semdKind) — текст до 200 знаков' }
  if (JSON.stringify(content.form ?? null).length > MAX_FORM_TEXT) return { wrong: 'Файл слишком велик для шаблона' }
  const wrong = wrongForm(content.form) ?? wrongPictures(content.form as ExaminationForm, content.pictures)
  if (wrong) return { wrong }
  const pictures = content.pictures as Record<string, string> | undefined
  const file = { name, semdKind: semdKind ?? null, form: content.form as ExaminationForm }
  return { file: pictures ? { ...file, pictures } : file }
}

/** A file must contain exactly the pictures that its form names. */
function wrongPictures(form: ExaminationForm, pictures: unknown = {}): string | undefined {
  if (!isObject(pictures)) return 'Рисунки (pictures) — по их именам'
  const named = ownPicturesOf(form)
  if (named.some((name) => !Object.hasOwn(pictures, name))) return 'В файле нет рисунка, который стоит в поле'
  const strange = Object.entries(pictures).find(
    ([name, given]) =>
      !named.includes(name) ||
      typeof given !== 'string' ||
      given.length > MAX_OWN_PICTURE * 1.4 ||
      !GIVEN_PICTURE.test(given),
  )
  return strange && `Рисунок «${strange[0].slice(0, 12)}…» в файле лишний, слишком велик или не PNG, JPEG и SVG`
}

/** The form with its own pictures renamed. */
export const withPictures = (form: ExaminationForm, names: Readonly<Record<string, string>>): ExaminationForm => ({
  sections: form.sections.map((section) => ({
    ...section,
    fields: section.fields.map((field) => {
      const name = field.picture && Object.hasOwn(names, field.picture) ? names[field.picture] : undefined
      return name ? { ...field, picture: name } : field
    }),
  })),
})
