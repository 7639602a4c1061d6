import { Title } from '@mantine/core'
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { AddPictures, Lightbox, PictureTile, SendingPicture } from '#areas/files/index.ts'
import { rulesText } from '#kit/fileRules.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { viewerPictures } from '../newsRow.ts'
import { type ImageTile, imageRules, type useImages } from './useImages.ts'

/** Pictures of a news item as tiles, with a tile to add more by choosing, dropping or pasting. */
export function ImageTiles({ tiles, sending, add, toggle }: ReturnType<typeof useImages>) {
  const heading = useId()
  const [looking, setLooking] = useState<number>()
  return (
    <section aria-labelledby={heading}>
      <Title id={heading} order={2} size="h3" mb={4} fw={500}>
        Изображения
      </Title>
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
          <SendingPicture key={upload.id} upload={upload} />
        ))}
        <AddPictures rules={imageRules} onFiles={add} />
      </Tiles>
      <Fine component="p" mt={4}>
        {rulesText(imageRules)}. Можно перетащить или вставить из буфера, несколько сразу.
      </Fine>
      {looking !== undefined && (
        <Lightbox
          pictures={viewerPictures(tiles)}
          id={looking}
          onLook={setLooking}
          onClose={() => setLooking(undefined)}
        />
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
    <PictureTile
      src={tile.thumb}
      name={name}
      isRemoved={tile.isRemoved}
      mark={tile.isRemoved ? 'Будет удалено' : tile.isNew ? 'Новое' : undefined}
      onLook={onLook}
      action={
        <IconButton
          icon={tile.isRemoved ? IconArrowBackUp : IconTrash}
          variant="default"
          size={28}
          label={`${tile.isRemoved ? 'Вернуть' : 'Удалить'} ${name}`}
          title={tile.isRemoved ? 'Вернуть' : 'Удалить'}
          onClick={() => toggle(tile)}
        />
      }
    />
  )
}
