import { Progress, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp, IconPhotoPlus, IconRefresh, IconTrash, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useFileInput } from '../../../kit/FilePicker.tsx'
import { rulesText } from '../../../kit/fileRules.ts'
import { IconButton } from '../../../kit/IconButton.tsx'
import { Tiles } from '../../../kit/Stacks.tsx'
import { usePageDrop } from '../../../kit/usePageDrop.ts'
import { usePagePaste } from '../../../kit/usePagePaste.ts'
import { Fine, Muted } from '../../../kit/Words.tsx'
import { type Upload, uploads } from '../../../records/uploads.ts'
import { Lightbox } from '../../files/index.ts'
import { lookedAt } from '../newsRow.ts'
import classes from './ImageTiles.module.css'
import { FAILED, type ImageTile, imageRules, type useImages } from './useImages.ts'

/** The pictures of a news item as tiles, with one to add more: chosen, dropped onto the page or pasted. */
export function ImageTiles({ tiles, sending, add, toggle }: ReturnType<typeof useImages>) {
  const heading = useId()
  const [looking, setLooking] = useState<number>()
  const [input, choose] = useFileInput({ ...imageRules, multiple: true, onFiles: add })
  const over = usePageDrop({ ...imageRules, onFiles: add })
  usePagePaste({ ...imageRules, onFiles: add })
  return (
    <section aria-labelledby={heading}>
      <Title id={heading} order={2} size="h3" mb={4} fw={500}>
        Изображения
      </Title>
      {input}
      <Tiles component="ul" tile={136} aria-labelledby={heading}>
        {tiles.map((tile, at) => (
          <Tile
            key={tile.key}
            tile={tile}
            name={`изображение ${at + 1}`}
            onLook={() => setLooking(at)}
            toggle={toggle}
          />
        ))}
        {sending.map((upload) => (
          <SendingTile key={upload.id} upload={upload} />
        ))}
        <li>
          <button type="button" className={classes.add} data-over={over || undefined} onClick={choose}>
            <IconPhotoPlus size={24} stroke={1.5} aria-hidden />
            {over ? 'Отпустите, чтобы добавить' : 'Добавить изображение'}
          </button>
        </li>
      </Tiles>
      <Fine component="p" mt={4}>
        {rulesText(imageRules)}. Можно перетащить или вставить из буфера, несколько сразу.
      </Fine>
      {looking !== undefined && (
        <Lightbox pictures={lookedAt(tiles)} id={looking} onLook={setLooking} onClose={() => setLooking(undefined)} />
      )}
    </section>
  )
}

interface TileProps {
  tile: ImageTile
  /** «изображение 2» */
  name: string
  onLook: () => void
  toggle: (tile: ImageTile) => void
}

function Tile({ tile, name, onLook, toggle }: TileProps) {
  return (
    <li className={classes.tile} data-removed={tile.isRemoved || undefined}>
      <button type="button" className={classes.look} aria-label={`Открыть ${name}`} onClick={onLook}>
        <img src={tile.thumb} alt="" />
      </button>
      {tile.isNew && <span className={classes.mark}>Новое</span>}
      {tile.isRemoved && (
        <span className={classes.mark} data-tone="removed">
          Будет удалено
        </span>
      )}
      <IconButton
        icon={tile.isRemoved ? IconArrowBackUp : IconTrash}
        className={classes.action}
        variant="default"
        size={28}
        label={`${tile.isRemoved ? 'Вернуть' : 'Удалить'} ${name}`}
        title={tile.isRemoved ? 'Вернуть' : 'Удалить'}
        onClick={() => toggle(tile)}
      />
    </li>
  )
}

/** A picture on its way: how much is sent, or why it is not taken. */
function SendingTile({ upload: { id, file, status, share, error } }: { upload: Upload }) {
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
