import { type EntityOptions, entity, type Fields, many } from './entity.ts'
import { boolean } from './fields/boolean.ts'
import { dateTime } from './fields/dateTime.ts'
import { ref } from './fields/ref.ts'
import { richText } from './fields/richText.ts'
import { attachment } from './storedFile.ts'

const written = () => ({
  message: richText({ label: 'Комментарий', required: true, max: 20_000 }),
  dateCreate: dateTime({ label: 'Написан', auto: 'created' }),
  /** Time of the last edit of the text; empty when it was never edited. */
  dateChange: dateTime({ label: 'Изменён', readonly: true }),
})
const author = () => ref('users', { label: 'Автор', as: 'user', auto: 'actor' })

interface CommentOptions<Of extends Fields> extends Pick<EntityOptions<Fields, never>, 'label' | 'access'> {
  /** The fields that identify the subject. */
  of: Of
  within?: keyof Of & string
}

/** Remarks on a record, without replies and files. */
export const remarks = <const P extends string, const Of extends Fields>(path: P, options: CommentOptions<Of>) =>
  entity(path, {
    label: options.label,
    fields: { ...written(), ...options.of, idUser: author() },
    access: options.access,
    within: options.within as 'idUser' | undefined,
    sort: 'id',
    soft: true,
  })

/**
 * A discussion: comments with replies. System comments are written by the server, about changes of the record. The server
 * adds the rules by `commentThread`, the web renders it by a `Discussion`.
 */
export const comments = <
  const P extends string,
  const Of extends Fields,
  const F extends Record<string, ReturnType<typeof many>> = Record<never, never>,
  const More extends Fields = Record<never, never>,
>(
  path: P,
  options: CommentOptions<Of> & {
    /** Lists of a comment's parts: `filesOf(…)`. */
    many?: F
    more?: More
  },
) =>
  entity(path, {
    label: options.label,
    fields: {
      ...written(),
      ...(options.more as More),
      isSystem: boolean({ label: 'Системный', readonly: true, default: false }),
      ...options.of,
      idComment: ref(path, { label: 'Ответ на', as: 'parent', fixed: true, onDelete: 'cascade' }),
      idUser: author(),
    },
    many: { children: many(path, 'idComment'), ...(options.many as F) },
    access: options.access,
    within: options.within as 'idUser' | undefined,
    sort: 'id',
    soft: true,
  })

/** The files of comments; the comments declare them as `files: many(path, 'idComment')`. */
export const commentFiles = <const P extends string, const C extends string, const S extends string>(
  path: P,
  { label, access, comments, files }: Pick<CommentOptions<Fields>, 'label' | 'access'> & { comments: C; files: S },
) =>
  attachment(path, {
    label,
    of: {
      idComment: ref(comments, {
        label: 'Комментарий',
        as: 'comment',
        required: true,
        fixed: true,
        onDelete: 'cascade',
      }),
    },
    within: 'idComment',
    files,
    access,
  })
