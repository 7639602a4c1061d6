import { ActionIcon, Modal } from '@mantine/core'
import { formatFileSize } from '@ordinator/model/format'
import { IconChevronLeft, IconChevronRight, IconDownload, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { FileName } from '../../kit/FileName.tsx'
import { useReturnFocus } from '../../kit/useReturnFocus.ts'
import { type Attachment, downloadUrl, pictureUrl } from './attachment.ts'
import classes from './Lightbox.module.css'

/** A finger that goes this far, in pixels, turns the page. */
const SWIPE = 48
/** Mantine's dialogs hear Escape before all others: with this mark on what has the focus the card stays open. */
const ownEscape = { 'data-mantine-stop-propagation': 'true' } as const

interface Props {
  pictures: readonly Attachment[]
  /** Which is shown. */
  id: number
  onLook: (id: number) => void
  onClose: () => void
}

/** Pictures of a task one after another, as large as the screen is. */
export function Lightbox({ pictures, id, onLook, onClose }: Props) {
  useReturnFocus()
  const at = pictures.findIndex((one) => one.id === id)
  const shown = pictures[at]
  const touched = useRef<number>(undefined)
  // Somebody has taken it away.
  useEffect(() => {
    if (!shown) onClose()
  }, [shown, onClose])
  if (!shown) return null
  const { file } = shown
  const many = pictures.length > 1
  const step = (by: number) => onLook((pictures[(at + by + pictures.length) % pictures.length] as Attachment).id)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // The card beneath hears none of the keys.
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    else if (many && event.key === 'ArrowLeft') step(-1)
    else if (many && event.key === 'ArrowRight') step(1)
  }

  const turn = (by: -1 | 1, label: string) => (
    <ActionIcon
      {...ownEscape}
      className={classes.turn}
      data-side={by < 0 ? 'left' : 'right'}
      size={44}
      radius="xl"
      variant="transparent"
      aria-label={label}
      onClick={() => step(by)}
    >
      {by < 0 ? <IconChevronLeft size={28} /> : <IconChevronRight size={28} />}
    </ActionIcon>
  )

  return (
    <Modal
      opened
      fullScreen
      padding={0}
      radius={0}
      withCloseButton={false}
      closeOnEscape={false}
      onClose={onClose}
      transitionProps={{ transition: 'fade', duration: 120 }}
      classNames={{ content: classes.content, body: classes.body }}
      attributes={{ content: { 'aria-label': `Просмотр «${file.name}»`, ...ownEscape } }}
      onKeyDown={onKeyDown}
    >
      <div className={classes.top}>
        <span className={classes.name} title={file.name}>
          <FileName name={file.name} />
        </span>
        <span className={`${classes.facts} tabular`}>
          {file.meta.width && file.meta.height && (
            <span className={classes.size}>
              {file.meta.width} × {file.meta.height},{' '}
            </span>
          )}
          {formatFileSize(file.size)}
        </span>
        {many && (
          <span className={`${classes.facts} tabular`} aria-live="polite">
            {at + 1} из {pictures.length}
          </span>
        )}
        <ActionIcon
          {...ownEscape}
          component="a"
          href={downloadUrl(file)}
          download
          className={classes.control}
          variant="transparent"
          aria-label={`Скачать «${file.name}»`}
          title="Скачать"
        >
          <IconDownload size={18} />
        </ActionIcon>
        <ActionIcon
          {...ownEscape}
          data-autofocus
          className={classes.control}
          variant="transparent"
          aria-label="Закрыть просмотр"
          title="Закрыть"
          onClick={onClose}
        >
          <IconX size={18} />
        </ActionIcon>
      </div>
      <div
        className={classes.stage}
        onTouchStart={(event) => void (touched.current = event.touches[0]?.clientX)}
        onTouchEnd={(event) => {
          const way = (event.changedTouches[0]?.clientX ?? 0) - (touched.current ?? 0)
          if (many && touched.current !== undefined && Math.abs(way) > SWIPE) step(way > 0 ? -1 : 1)
        }}
      >
        <Picture key={file.id} file={file} />
        {many && turn(-1, 'Предыдущая картинка')}
        {many && turn(1, 'Следующая картинка')}
      </div>
    </Modal>
  )
}

function Picture({ file }: { file: Attachment['file'] }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <p role="alert">Картинка не загрузилась. Закройте просмотр и откройте её снова.</p>
  const { width, height } = file.meta
  return (
    <img
      className={classes.picture}
      src={pictureUrl(file)}
      width={width}
      height={height}
      alt={file.name}
      draggable={false}
      onError={() => setBroken(true)}
    />
  )
}
