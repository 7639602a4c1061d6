import classes from './Opener.module.css'

/** Title of a news item that opens it; its positioned container is clickable as a whole. */
export function Opener({ title, onOpen }: { title: string; onOpen: () => void }) {
  return (
    <button type="button" className={classes.opener} onClick={onOpen}>
      {title}
    </button>
  )
}
