import { useState } from 'react'
import { Lightbox } from '#areas/files/index.ts'
import { VStack } from '#kit/Stacks.tsx'
import { type NewsPicture, viewerPictures } from '../newsRow.ts'
import classes from './NewsView.module.css'

/** Thumbnails below the first picture; the others are behind «ещё». */
const THUMBS = 5

/** Pictures of a news item: the first large, others as thumbnails; a click opens the viewer. */
export function Gallery({ pictures }: { pictures: readonly NewsPicture[] }) {
  const [looking, setLooking] = useState<number>()
  const [first, ...rest] = pictures
  if (!first) return null
  const more = rest.length - THUMBS
  return (
    <VStack>
      <button type="button" className={classes.first} aria-label="Открыть изображение 1" onClick={() => setLooking(0)}>
        <img src={first.large} alt="" />
      </button>
      {rest.length > 0 && (
        <ul className={classes.thumbs}>
          {rest.slice(0, THUMBS).map((picture, at) => (
            <li key={picture.key}>
              <button
                type="button"
                className={classes.thumb}
                aria-label={`Открыть изображение ${at + 2}`}
                onClick={() => setLooking(at + 1)}
              >
                <img src={picture.thumb} alt="" loading="lazy" />
                {more > 0 && at === THUMBS - 1 && <span className={classes.more}>+{more}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {looking !== undefined && (
        <Lightbox
          pictures={viewerPictures(pictures)}
          id={looking}
          onLook={setLooking}
          onClose={() => setLooking(undefined)}
        />
      )}
    </VStack>
  )
}
