import type { AnyListQuery } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { IconArrowLeft, IconArrowRight, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { failureWords } from '#kit/failureWords.ts'
import { rulesText } from '#kit/fileRules.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { onSortKeys, type SortPlace, stepPlace, useSortable } from '#kit/useSortable.ts'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { asRows, useList } from '#records/reads.ts'
import { rulesOf, type UploadTarget, uploads } from '#records/uploads.ts'
import { useUploads } from '#records/useUploads.ts'
import { useMove, useRemove } from '#records/writes.ts'
import { previewUrl } from './attachment.ts'
import { Lightbox } from './Lightbox.tsx'
import { AddPictures, FAILED, PictureTile, SendingPicture } from './PictureTile.tsx'

/** The maximum page size of the records engine. */
const MAX = 500
const quiet = recordsWith({ forbidden: 'silent' })

interface Shot {
  id: number
  file: { name: string; url: string; size: number }
}

interface Props {
  /** Entity of a record's pictures, with `file` and a position. */
  links: Entity
  /** Entity of the stored files. */
  files: Entity
  /** Field that refers to the file. */
  by: string
  /** The record: `{ idFilial: 7 }`. */
  of: Readonly<Record<string, number>>
  /** Text of the toast: where a failed picture is. */
  whereToLook: string
}

/** Pictures of a record in order; uploads are saved at once. */
export function PictureGallery({ links, files, by, of, whereToLook }: Props) {
  const cache = useQueryClient()
  const [looking, setLooking] = useState<number>()
  const rules = useMemo(() => rulesOf(files), [files])
  const key = `${links.path}:${Object.values(of).join()}`
  const query: AnyListQuery = { filter: of, sort: 'order', expand: ['file'], limit: MAX }
  const list = useList<Entity, string>(links, query, { forbidden: 'silent' })
  const sending = useUploads(key)
  const move = useMove(links)
  const remove = useRemove(links, { message: 'Фотография убрана' })
  const target: UploadTarget = {
    key,
    stored: files,
    take: async ({ id }) => {
      await quiet.create<Entity>(links, { ...of, [by]: id })
      await invalidateRecords(cache, links.path)
    },
    whereToLook,
    failure: { title: FAILED, text: failureWords },
  }
  if (list.isError)
    return <ErrorState title="Фотографии не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={4} />
  const shots = asRows<Shot>(list.data.items)
  return (
    <section aria-label="Фотографии">
      <Tiles component="ul" tile={176} aria-label="Фотографии">
        {shots.map((shot, at) => (
          <Photo
            key={shot.id}
            shot={shot}
            shots={shots}
            name={`фотографию ${at + 1}`}
            onLook={() => setLooking(shot.id)}
            onPut={(id, place) => move.mutate({ id, ...place })}
            onRemove={() => remove.mutate(shot.id)}
          />
        ))}
        {sending.map((upload) => (
          <SendingPicture key={upload.id} upload={upload} />
        ))}
        <AddPictures rules={rules} onFiles={(files) => uploads.add(target, files)} />
      </Tiles>
      <Fine component="p" mt={8}>
        {rulesText(rules)}. Порядок меняют перетаскиванием, из меню или клавишами Ctrl+Shift+← и →.
      </Fine>
      {looking !== undefined && (
        <Lightbox
          pictures={shots.map((shot) => ({
            id: shot.id,
            name: shot.file.name,
            url: previewUrl(shot.file, 'large'),
            download: `${shot.file.url}?download=1`,
            size: shot.file.size,
          }))}
          id={looking}
          onLook={setLooking}
          onClose={() => setLooking(undefined)}
        />
      )}
    </section>
  )
}

interface PhotoProps {
  shot: Shot
  shots: readonly Shot[]
  name: string
  onLook: () => void
  onPut: (id: number, place: SortPlace) => void
  onRemove: () => void
}

function Photo({ shot, shots, name, onLook, onPut, onRemove }: PhotoProps) {
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({ kind: 'gallery', id: shot.id, across: true, onPut })
  const step = (way: 'up' | 'down') => {
    const place = stepPlace(shots, shot.id, way)
    if (place) onPut(shot.id, place)
  }
  return (
    <PictureTile
      ref={ref}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      onKeyDown={onSortKeys(step, true)}
      src={previewUrl(shot.file, 'small')}
      name={name}
      onLook={onLook}
      action={
        <ActionMenu
          label={`Действия: ${name.replace('фотографию', 'фотография')}`}
          variant="default"
          size={28}
          width={208}
        >
          <MenuItem
            label="Раньше"
            icon={IconArrowLeft}
            disabled={shots[0]?.id === shot.id}
            onClick={() => step('up')}
          />
          <MenuItem
            label="Позже"
            icon={IconArrowRight}
            disabled={shots.at(-1)?.id === shot.id}
            onClick={() => step('down')}
          />
          <MenuItem label="Убрать" danger icon={IconTrash} onClick={onRemove} />
        </ActionMenu>
      }
    />
  )
}
