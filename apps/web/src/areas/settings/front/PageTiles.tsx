import { type Page, pageFamilies } from '@ordinator/model/page'
import { Link } from '@tanstack/react-router'
import { Block, Tiles } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Front.module.css'

/** Tiles of pages with descriptions. */
export function PageTiles({ title, pages }: { title: string; pages: readonly Page[] }) {
  if (pages.length === 0) return null
  return (
    <section className={classes.part} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <Tiles tile={280} gap={8}>
        {pages.map((page) => (
          <Block key={page.key} component={Link} to={`/${page.path}`} framed p={12} className={classes.tile}>
            <span className={classes.name}>{nameOf(page)}</span>
            <Fine>{page.help}</Fine>
          </Block>
        ))}
      </Tiles>
    </section>
  )
}

/** Title with the family's name: «Сайт клиники: Политика». */
const nameOf = ({ family, title }: Page) => (family ? `${pageFamilies[family]}: ${title.toLowerCase()}` : title)
