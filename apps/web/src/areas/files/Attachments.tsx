import { Box, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core'
import type { Entity } from '@ordinator/model/entity'
import { counted, formatFileSize } from '@ordinator/model/format'
import { isPicture, MAX_FILE } from '@ordinator/model/storedFile'
import { IconUpload } from '@tabler/icons-react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { FilePicker } from '#kit/FilePicker.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { usePageDrop } from '#kit/usePageDrop.ts'
import { usePagePaste } from '#kit/usePagePaste.ts'
import { Fine, Muted } from '#kit/Words.tsx'
import { asRows, useList } from '#records/reads.ts'
import { type UploadTarget, uploads } from '#records/uploads.ts'
import { useUploads } from '#records/useUploads.ts'
import classes from './Attachments.module.css'
import { AttachmentTile } from './AttachmentTile.tsx'
import { type Attachment, pictureOf } from './attachment.ts'
import { Lightbox } from './Lightbox.tsx'
import { UploadTile } from './UploadTile.tsx'

/** Page limit of the records engine. */
const MAX_SHOWN = 500
const MAX_SKELETONS = 4
const rules = { maxSize: MAX_FILE }

interface Props {
  /** Entity of the attachments: `idFile`, `file` and the reference to the record. */
  links: Entity
  /** Reference to the record: `{ idTask: 5 }`. */
  of: Record<string, number>
  /** Target of new files. */
  target: (cache: QueryClient) => UploadTarget
  /** Expected number, for the loading state. */
  expected?: number
  mayEdit: boolean
  /** Text of the drop target: «к задаче». */
  to: string
  /** Level of the heading: 3 by default; 2 in a frame of its own. */
  order?: 2 | 3
  cover?: { id: number | null; set: (idFile: number | null) => Promise<void> }
}

/** Files of a record: dropped, pasted or chosen; viewed, downloaded, removed. */
export function Attachments({ links, of, target, expected = 1, mayEdit, to, order = 3, cover }: Props) {
  const client = useQueryClient()
  const heading = useId()
  const section = useRef<HTMLElement>(null)
  const [looking, setLooking] = useState<number>()
  const list = useList(
    links,
    { filter: of, expand: ['file.user'], sort: '-id', limit: MAX_SHOWN },
    {
      forbidden: 'silent',
    },
  )
  const attachments = asRows<Attachment>(list.data?.items)
  const sending = useUploads(target(client).key)

  const add = (files: File[]) => uploads.add(target(client), files)
  const over = usePageDrop({ ...rules, onFiles: add, disabled: !mayEdit })
  usePagePaste({ ...rules, onFiles: add, disabled: !mayEdit })

  const pictures = attachments.filter(({ file }) => isPicture(file.meta)).map(pictureOf)
  const nothing = list.isSuccess && attachments.length === 0 && sending.length === 0
  return (
    <Box ref={section} component="section" mt={order === 2 ? 0 : 20} aria-labelledby={heading}>
      <HStack gap={12} mb={4} mih={32}>
        <Title id={heading} order={order} mr="auto" fw={order === 2 ? undefined : 500}>
          Вложения {attachments.length > 0 && <Muted ml={4}>{attachments.length}</Muted>}
        </Title>
        {mayEdit && (
          <>
            <Fine>до {formatFileSize(MAX_FILE)}</Fine>
            <FilePicker multiple size="compact-sm" hotkey="f" onFiles={add} {...rules}>
              Прикрепить
            </FilePicker>
          </>
        )}
      </HStack>
      {nothing && (
        <Text c="dimmed">
          {mayEdit ? 'Перетащите файлы на карточку, вставьте из буфера или нажмите «Прикрепить»' : 'Файлов нет'}
        </Text>
      )}
      {list.isError && !list.data && <FailedLoad what="Вложения не загрузились" load={list} />}
      <ul className={classes.tiles} aria-labelledby={heading}>
        {sending.map((upload) => (
          <UploadTile key={`u${upload.id}`} upload={upload} />
        ))}
        {attachments.map((attachment) => (
          <AttachmentTile
            key={attachment.id}
            links={links}
            attachment={attachment}
            isCover={cover?.id === attachment.idFile}
            mayEdit={mayEdit}
            onLook={() => setLooking(attachment.id)}
            onCover={cover && ((on) => cover.set(on ? attachment.idFile : null))}
          />
        ))}
        {list.isPending &&
          Array.from({ length: Math.min(expected, MAX_SKELETONS) }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            <Skeleton key={at} component="li" height={62} />
          ))}
      </ul>
      {list.data?._meta.hasMore && <Text c="dimmed">Показаны последние {MAX_SHOWN}</Text>}
      <VisuallyHidden role="status">{wordsOf(sending)}</VisuallyHidden>
      {over && <DropHint to={to} over={section.current?.closest<HTMLElement>('[role="dialog"]')} />}
      {looking !== undefined && (
        <Lightbox pictures={pictures} id={looking} onLook={setLooking} onClose={() => setLooking(undefined)} />
      )}
    </Box>
  )
}

/** Covers the card while files are dragged over the page. */
function DropHint({ to, over }: { to: string; over: HTMLElement | null | undefined }) {
  if (!over) return null
  return createPortal(
    <div className={classes.drop} aria-hidden>
      <IconUpload size={32} stroke={1.5} />
      Отпустите, чтобы прикрепить {to}
      <Text span size="xs" fw={400}>
        Каждый файл — до {formatFileSize(MAX_FILE)}
      </Text>
    </div>,
    over,
  )
}

const forms = ['файл', 'файла', 'файлов'] as const

/** For screen readers: number of uploads. */
function wordsOf(uploads: readonly { status: string }[]): string {
  const failed = uploads.filter(({ status }) => status === 'failed').length
  const going = uploads.length - failed
  return [going && `Загружается ${counted(going, forms)}`, failed && `Не прикреплено: ${counted(failed, forms)}`]
    .filter(Boolean)
    .join('. ')
}
