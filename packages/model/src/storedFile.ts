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

/** The sides of the box that each preview of an image fits in, in pixels. */
export const previewSizes = { small: 240, medium: 720, large: 1600 } as const
export type PreviewSize = keyof typeof previewSizes

/** MIME types that a browser may show in place: it runs no script of ours in any of these. Everything else is only saved. */
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

/** Whether the file can be listened to where it stands. */
export const isSound = ({ category, type }: FileMeta): boolean => category === 'audio' && shownTypes.has(type)

/** Whether the file can be looked at as a picture: itself, or by a preview of it. */
export const isPicture = ({ category, type, previews }: FileMeta): boolean =>
  category === 'image' && (shownTypes.has(type) || previews?.includes('large') === true)

/** What the server learnt of a file by looking into it. */
export interface FileMeta extends Record<string, unknown> {
  category: FileCategory | 'other'
  /** MIME type, by content. */
  type: string
  /** Of an image as it is shown, in pixels. */
  width?: number
  height?: number
  /** The previews that exist: `GET /files/{id}/{size}`. */
  previews?: PreviewSize[]
  /** It came from somebody who is not of the staff. */
  isStrange?: true
}

/**
 * The fields of a record that is a stored file (spec §3). No client creates or changes one: the upload does, so
 * nothing here is the client's word but the name. Ids of all file entities come from one sequence, for `GET /files/{id}`.
 */
const fileFields = () => ({
  name: text({ label: 'Имя файла', required: true, max: 255, search: true, fixed: true }),
  extension: text({ label: 'Расширение', required: true, max: 16, fixed: true }),
  size: integer({ label: 'Размер, байт', required: true, min: 1, fixed: true }),
  meta: json<FileMeta>()({ label: 'Свойства', required: true, fixed: true }),
  /** Where the storage keeps it; says nothing to a client and opens nothing. */
  key: text({ label: 'Ключ хранения', required: true, max: 64, fixed: true }),
  dateCreate: dateTime({ label: 'Загружен', auto: 'created' }),
  idUser: ref('users', { label: 'Кто загрузил', as: 'user', auto: 'actor' }),
  url: text({ label: 'Адрес', computed: true, required: true }),
})

interface Stored<M extends Record<string, Many>> extends Pick<EntityOptions<Fields, M>, 'label'> {
  /** Where its files hang: a file is seen by who sent it, and by all who see one of these. */
  many: M
  /** `create` stays closed to the generic endpoints: a file's record is made by the upload alone. */
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
 * A file at a record: what it hangs at, and the file.
 * @param of the one reference to the record, whose rights it follows
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
    /** The field that names whose data it is: looks at it, and at what the file holds, go to the journal of access. */
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
