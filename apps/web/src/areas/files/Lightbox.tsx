import { Box, Text } from '@mantine/core'
import { formatFileSize } from '@ordinator/model/format'
import { IconChevronLeft, IconChevronRight, IconDownload, IconX, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Dialog } from '#kit/Dialog.tsx'
import { FileName } from '#kit/FileName.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import classes from './Lightbox.module.css'
import { useZoom, ZOOM_MAX } from './useZoom.ts'

/** Pixels of a swipe that turns the page. */
const SWIPE = 48

/** A picture in the viewer. */
export interface Picture {
  id: number
  name: string
  /** URLs to show and to download. */
  url: string
  download: string
  /** Bytes. */
  size?: number
  /** Pixels. */
  width?: number
  height?: number
}

interface Props {
  pictures: readonly Picture[]
  /** Id of the shown picture. */
  id: number
  onLook: (id: number) => void
  onClose: () => void
}

/** Picture viewer, full screen; zoom by buttons, `+` and `-`. */
export function Lightbox({ pictures, id, onLook, onClose }: Props) {
  const at = pictures.findIndex((one) => one.id === id)
  const shown = pictures[at]
  const touched = useRef<number>(undefined)
  const stage = useRef<HTMLDivElement>(null)
  const zoom = useZoom(stage, id)
  // The picture was removed.
  useEffect(() => {
    if (!shown) onClose()
  }, [shown, onClose])
  if (!shown) return null
  const many = pictures.length > 1
  const step = (by: number) => onLook((pictures[(at + by + pictures.length) % pictures.length] as Picture).id)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Escape') return
    // Keeps keys from the card below.
    event.stopPropagation()
    if (event.key === '+' || event.key === '=') zoom.closer()
    else if (event.key === '-') zoom.away()
    else if (event.key === '0') zoom.whole()
    // While zoomed, the arrows scroll the picture.
    else if (zoom.scale > 1) return
    else if (many && event.key === 'ArrowLeft') step(-1)
    else if (many && event.key === 'ArrowRight') step(1)
  }

  const turn = (by: -1 | 1, label: string) => (
    <IconButton
      icon={by < 0 ? IconChevronLeft : IconChevronRight}
      className={classes.turn}
      data-side={by < 0 ? 'left' : 'right'}
      size={44}
      radius="xl"
      variant="transparent"
      label={label}
      onClick={() => step(by)}
    />
  )

  return (
    <Dialog
      fullScreen
      padding={0}
      radius={0}
      withCloseButton={false}
      onClose={onClose}
      transitionProps={{ transition: 'fade', duration: 120 }}
      classNames={{ content: classes.content, body: classes.body }}
      attributes={{ content: { 'aria-label': `Просмотр «${shown.name}»` } }}
      onKeyDown={onKeyDown}
    >
      <div className={classes.top}>
        <Box component="span" miw={0} flex={1} title={shown.name}>
          <FileName name={shown.name} />
        </Box>
        <Text span size="xs" c="#aab5b5" flex="none" className="tabular">
          {shown.width && shown.height && (
            <span className={classes.size}>
              {shown.width} × {shown.height}
              {shown.size !== undefined && ', '}
            </span>
          )}
          {shown.size !== undefined && formatFileSize(shown.size)}
        </Text>
        {many && (
          <Text span size="xs" c="#aab5b5" flex="none" className="tabular" aria-live="polite">
            {at + 1} из {pictures.length}
          </Text>
        )}
        <IconButton
          icon={IconZoomOut}
          className={classes.control}
          variant="transparent"
          label="Отдалить"
          title="Отдалить (−)"
          disabled={zoom.scale === 1}
          onClick={zoom.away}
        />
        <IconButton
          icon={IconZoomIn}
          className={classes.control}
          variant="transparent"
          label="Приблизить"
          title="Приблизить (+)"
          disabled={zoom.scale === ZOOM_MAX}
          onClick={zoom.closer}
        />
        <IconButton
          icon={IconDownload}
          component="a"
          href={shown.download}
          download
          className={classes.control}
          variant="transparent"
          label={`Скачать «${shown.name}»`}
          title="Скачать"
        />
        <IconButton
          icon={IconX}
          data-autofocus
          className={classes.control}
          variant="transparent"
          label="Закрыть просмотр"
          title="Закрыть"
          onClick={onClose}
        />
      </div>
      <div className={classes.frame}>
        <div
          {...zoom.props}
          ref={stage}
          className={classes.stage}
          data-zoomed={zoom.scale > 1 || undefined}
          onTouchStart={(event) => void (touched.current = event.touches[0]?.clientX)}
          onTouchEnd={(event) => {
            const way = (event.changedTouches[0]?.clientX ?? 0) - (touched.current ?? 0)
            if (many && zoom.scale === 1 && touched.current !== undefined && Math.abs(way) > SWIPE)
              step(way > 0 ? -1 : 1)
          }}
        >
          <Look key={shown.id} picture={shown} width={zoom.width} />
        </div>
        {many && turn(-1, 'Предыдущая картинка')}
        {many && turn(1, 'Следующая картинка')}
      </div>
    </Dialog>
  )
}

function Look({ picture, width }: { picture: Picture; width: number | undefined }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <p role="alert">Картинка не загрузилась. Закройте просмотр и откройте её снова.</p>
  return (
    <img
      className={classes.picture}
      src={picture.url}
      width={picture.width}
      height={picture.height}
      style={{ width }}
      alt={picture.name}
      draggable={false}
      onError={() => setBroken(true)}
    />
  )
}
