import { Progress, Text, VisuallyHidden } from '@mantine/core'
import { IconPhotoPlus, IconRefresh, IconX } from '@tabler/icons-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { useFileInput } from '#kit/FilePicker.tsx'
import type { FileRules } from '#kit/fileRules.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { usePageDrop } from '#kit/usePageDrop.ts'
import { usePagePaste } from '#kit/usePagePaste.ts'
import { Muted } from '#kit/Words.tsx'
import { type Upload, uploads } from '#records/uploads.ts'
import classes from './PictureTile.module.css'

interface TileProps extends ComponentPropsWithRef<'li'> {
  src: string
  /** «изображение 2» */
  name: string
  onLook: () => void
  /** Badge at the bottom: «Новое». */
  mark?: string
  /** Removed when the record is saved. */
  isRemoved?: boolean
  /** Button on the tile. */
  action?: ReactNode
}

/** A picture in a form; a click opens it. */
export function PictureTile({ src, name, onLook, mark, isRemoved, action, ...item }: TileProps) {
  return (
    <li className={classes.tile} data-removed={isRemoved || undefined} {...item}>
      <button type="button" className={classes.look} data-open aria-label={`Открыть ${name}`} onClick={onLook}>
        <img src={src} alt="" draggable={false} />
      </button>
      {mark && (
        <span className={classes.mark} data-tone={isRemoved ? 'removed' : undefined}>
          {mark}
        </span>
      )}
      {action && <span className={classes.action}>{action}</span>}
    </li>
  )
}

interface AddProps {
  rules: FileRules
  onFiles: (files: File[]) => void
}

/** Last tile: adds pictures by choosing, dropping or pasting. */
export function AddPictures({ rules, onFiles }: AddProps) {
  const [input, choose] = useFileInput({ ...rules, multiple: true, onFiles })
  const over = usePageDrop({ ...rules, onFiles })
  usePagePaste({ ...rules, onFiles })
  return (
    <li>
      {input}
      <button type="button" className={classes.add} data-over={over || undefined} onClick={choose}>
        <IconPhotoPlus size={24} stroke={1.5} aria-hidden />
        {over ? 'Отпустите, чтобы добавить' : 'Добавить изображение'}
      </button>
    </li>
  )
}

/** A picture being uploaded: progress, or the error. */
export function SendingPicture({ upload: { id, file, status, share, error } }: { upload: Upload }) {
  const percent = Math.floor(share * 100)
  if (status === 'failed')
    return (
      <li className={classes.sending} data-failed role="alert">
        <Text component="strong" inherit pr={64} c="var(--mantine-color-error)" fw={500}>
          {FAILED}
        </Text>
        <Text span inherit truncate title={file.name}>
          {file.name}
        </Text>
        <Muted lineClamp={3} className="breaks" title={error}>
          {error}
        </Muted>
        <span className={classes.again}>
          <IconButton
            icon={IconRefresh}
            size={28}
            variant="default"
            label={`Повторить загрузку «${file.name}»`}
            title="Повторить"
            onClick={() => uploads.retry(id)}
          />
          <IconButton
            icon={IconX}
            size={28}
            variant="default"
            label={`Убрать «${file.name}»`}
            title="Убрать"
            onClick={() => uploads.cancel(id)}
          />
        </span>
      </li>
    )
  const words = { waiting: 'Ждёт очереди', sending: `${percent} %`, storing: 'Обрабатывается…' }[status]
  return (
    <li className={classes.sending}>
      <Text span inherit truncate title={file.name}>
        {file.name}
      </Text>
      <Muted lineClamp={3} className="breaks">
        {words}
      </Muted>
      <Progress.Root size={4}>
        <Progress.Section
          value={percent}
          animated={status === 'storing'}
          aria-label={`Загрузка «${file.name}»`}
          aria-valuetext={words}
        />
      </Progress.Root>
      <VisuallyHidden role="status">{`«${file.name}»: ${status === 'sending' ? 'загружается' : words}`}</VisuallyHidden>
      <IconButton
        icon={IconX}
        className={classes.action}
        variant="default"
        size={28}
        label={`Отменить загрузку «${file.name}»`}
        title="Отменить"
        onClick={() => uploads.cancel(id)}
      />
    </li>
  )
}

/** Title of a failed upload, on the tile and in the toast. */
export const FAILED = 'Не удалось загрузить изображение'
