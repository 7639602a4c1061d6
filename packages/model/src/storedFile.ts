import type { Allowed } from './access.ts'
import { type EntityOptions, entity, type Fields, type Many } from './entity.ts'
import { dateTime } from './fields/dateTime.ts'
import { integer } from './fields/integer.ts'
import { json } from './fields/json.ts'
import { ref } from './fields/ref.ts'
import { text } from './fields/text.ts'
import type { FileCategory } from './files.ts'

/** The largest upload, in bytes (spec §9: 100 MB). */
export const MAX_FILE = 104_857_600

/** Maximum width and height of each preview of an image, in pixels. */
export const previewSizes = { small: 240, medium: 720, large: 1600 } as const
export type PreviewSize = keyof typeof previewSizes

/** MIME types that browsers display without running scripts in our origin. Everything else is only downloaded. */
const shownTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/flac',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
])

export const shownInPlace = (type: string): boolean => shownTypes.has(type)

/** True when the file can be played in the browser. */
export const isSound = ({ category, type }: FileMeta): boolean => category === 'audio' && shownTypes.has(type)

/** True when the file, or its preview, can be shown as a picture. */
export const isPicture = ({ category, type, previews }: FileMeta): boolean =>
  category === 'image' && (shownTypes.has(type) || previews?.includes('large') === true)

/** Facts the server finds in the content of a file. */
export interface FileMeta extends Record<string, unknown> {
  category: FileCategory | 'other'
  /** MIME type, by content. */
  type: string
  /** Pixels of an image as displayed. */
  width?: number
  height?: number
  /** Existing previews: `GET /files/{id}/{size}`. */
  previews?: PreviewSize[]
  /** Uploaded by a person outside the staff. */
  isStrange?: true
}

/**
 * Fields of a stored file's record (spec §3). Only an upload creates one, so only the name comes from the client. Ids of
 * all file entities come from one sequence, for `GET /files/{id}`.
 */
const fileFields = () => ({
  name: text({ label: 'Имя файла', required: true, max: 255, search: true, fixed: true }),
  extension: text({ label: 'Расширение', required: true, max: 16, fixed: true }),
  size: integer({ label: 'Размер, байт', required: true, min: 1, fixed: true }),
  meta: json<FileMeta>()({ label: 'Свойства', required: true, fixed: true }),
  /** Its key in the storage; meaningless to clients, and gives no access. */
  key: text({ label: 'Ключ хранения', required: true, max: 64, fixed: true }),
  dateCreate: dateTime({ label: 'Загружен', auto: 'created' }),
  idUser: ref('users', { label: 'Кто загрузил', as: 'user', auto: 'actor' }),
  url: text({ label: 'Адрес', computed: true, required: true }),
})

interface Stored<M extends Record<string, Many>> extends Pick<EntityOptions<Fields, M>, 'label'> {
  /** Where files are attached: a file is visible to its uploader, and to all who may see one of these records. */
  many: M
  /** Without `create` for the generic endpoints: only an upload creates a file's record. */
  access: { view: Allowed; delete: Allowed }
  upload: Omit<NonNullable<EntityOptions<Fields, M>['upload']>, 'maxSize'>
}

/** The stored files of an area. */
export const storedFiles = <const P extends string, const M extends Record<string, Many>>(
  path: P,
  { label, many, access, upload }: Stored<M>,
) =>
  entity(path, {
    label,
    fields: fileFields(),
    many,
    access,
    title: 'name',
    sort: '-id',
    soft: true,
    upload: { ...upload, maxSize: MAX_FILE },
  })

/** The reference to a stored file. @param path of the stored files */
export const fileRef = <const P extends string>(path: P) =>
  ref(path, { label: 'Файл', as: 'file', required: true, fixed: true, onDelete: 'restrict', whenDeleted: 'own' })

/**
 * The attachment of a file to a record.
 * @param of the single reference to the record, whose rights it follows
 */
export const attachment = <const P extends string, const Of extends Fields, const S extends string>(
  path: P,
  {
    label,
    of,
    within,
    files,
    access,
    personal,
  }: Pick<EntityOptions<Fields, never>, 'label' | 'access'> & {
    of: Of
    within: keyof Of & string
    files: S
    /** The field that refers to the patient: reads of the attachment and the file's content are journaled. */
    personal?: keyof Of & string
  },
) =>
  entity(path, {
    label,
    fields: { ...of, idFile: fileRef(files) },
    access,
    within: within as 'idFile',
    unique: [[within as 'idFile', 'idFile']],
    sort: 'id',
    soft: true,
    ...(personal && { personal: personal as 'idFile' }),
  })
