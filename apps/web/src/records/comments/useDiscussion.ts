import type { Entity } from '@ordinator/model/entity'
import { isReadable } from '@ordinator/model/fields/field'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '../keys.ts'
import { asRows, useEndlessList } from '../reads.ts'
import { useRemove } from '../writes.ts'
import type { Written } from './Composer.tsx'
import { type CommentRow, type Discussion, threadsOf } from './discussion.ts'

/** Comments per page. */
const PORTION = 50

/** Comments of a subject as threads, with their actions. */
export function useDiscussion({ entity, subject, files }: Discussion) {
  const cache = useQueryClient()
  const list = useEndlessList(
    entity,
    {
      filter: subject,
      sort: '-id',
      limit: PORTION,
      fields: fieldsOf(entity, files !== undefined),
      expand: files ? ['user', 'files.file'] : ['user'],
    },
    { forbidden: 'silent' },
  )
  const comments = asRows<CommentRow>(list.items)
  const threads = useMemo(() => threadsOf(comments), [comments])
  const removing = useRemove(entity, { message: 'Комментарий удалён' })

  return {
    list,
    comments,
    threads,
    async send({ message, files: attached }: Written, idComment?: number): Promise<number> {
      const body = { ...subject, message, ...(idComment ? { idComment } : {}) }
      const { id } = await quiet.create(entity, body)
      try {
        if (files && attached.length)
          await quiet.batch(files.links, {
            create: attached.map((file) => ({ idComment: id, idFile: file.id })),
          })
      } catch (error) {
        notify.error(errorMessage(error), { title: 'Комментарий отправлен, но без файлов' })
      }
      await invalidateRecords(cache, entity.path)
      return id
    },
    async edit({ id, _version }: CommentRow, { message }: Written): Promise<void> {
      await quiet.update(entity, id, { message, _version })
      await invalidateRecords(cache, entity.path)
    },
    remove: (id: number) => removing.mutate(id),
  }
}

/** Refusals are shown beside the rejected text. */
const quiet = recordsWith({ forbidden: 'silent' })

const fieldsOf = (entity: Entity, files: boolean): string[] => [
  ...Object.entries(entity.fields).flatMap(([name, f]) => (isReadable(f) && !f.options.lazy ? [name] : [])),
  ...['shortFio', 'surname', 'name', 'avatar'].map((name) => `user.${name}`),
  ...(files ? ['idFile', ...['name', 'extension', 'size', 'meta', 'url'].map((name) => `file.${name}`)] : []).map(
    (name) => `files.${name}`,
  ),
]
