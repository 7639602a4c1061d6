import { ActionIcon, Progress, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp, IconPhotoPlus, IconRefresh, IconTrash, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useFileInput } from '../../../kit/FilePicker.tsx'
import { rulesText } from '../../../kit/fileRules.ts'
import { usePageDrop } from '../../../kit/usePageDrop.ts'
import { usePagePaste } from '../../../kit/usePagePaste.ts'
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
      <h2 id={heading} className={classes.title}>
        Изображения
      </h2>
      {input}
      <ul className={classes.tiles} aria-labelledby={heading}>
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
      </ul>
      <p className={classes.hint}>{rulesText(imageRules)}. Можно перетащить или вставить из буфера, несколько сразу.</p>
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
      <ActionIcon
        className={classes.action}
        variant="default"
        size={28}
        aria-label={`${tile.isRemoved ? 'Вернуть' : 'Удалить'} ${name}`}
        title={tile.isRemoved ? 'Вернуть' : 'Удалить'}
        onClick={() => toggle(tile)}
      >
        {tile.isRemoved ? <IconArrowBackUp size={16} /> : <IconTrash size={16} />}
      </ActionIcon>
    </li>
  )
}

/** A picture on its way: how much is sent, or why it is not taken. */
function SendingTile({ upload: { id, file, status, share, error } }: { upload: Upload }) {
  const percent = Math.floor(share * 100)
  if (status === 'failed')
    return (
      <li className={classes.sending} data-failed role="alert">
        <strong className={classes.error}>{FAILED}</strong>
        <span className={classes.name} title={file.name}>
          {file.name}
        </span>
        <span className={classes.reason} title={error}>
          {error}
        </span>
        <span className={classes.again}>
          <ActionIcon
            size={28}
            variant="default"
            aria-label={`Повторить загрузку «${file.name}»`}
            title="Повторить"
            onClick={() => uploads.retry(id)}
          >
            <IconRefresh size={16} />
          </ActionIcon>
          <ActionIcon
            size={28}
            variant="default"
            aria-label={`Убрать «${file.name}»`}
            title="Убрать"
            onClick={() => uploads.cancel(id)}
          >
            <IconX size={16} />
          </ActionIcon>
        </span>
      </li>
    )
  const words = { waiting: 'Ждёт очереди', sending: `${percent} %`, storing: 'Обрабатывается…' }[status]
  return (
    <li className={classes.sending}>
      <span className={classes.name} title={file.name}>
        {file.name}
      </span>
      <span className={`${classes.reason} tabular`}>{words}</span>
      <Progress.Root size={4}>
        <Progress.Section
          value={percent}
          animated={status === 'storing'}
          aria-label={`Загрузка «${file.name}»`}
          aria-valuetext={words}
        />
      </Progress.Root>
      <VisuallyHidden role="status">{`«${file.name}»: ${status === 'sending' ? 'загружается' : words}`}</VisuallyHidden>
      <ActionIcon
        className={classes.action}
        variant="default"
        size={28}
        aria-label={`Отменить загрузку «${file.name}»`}
        title="Отменить"
        onClick={() => uploads.cancel(id)}
      >
        <IconX size={16} />
      </ActionIcon>
    </li>
  )
}
