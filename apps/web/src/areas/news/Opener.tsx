import classes from './Opener.module.css'

/** A news item's title that opens it; what it stands in (positioned) is pressed as a whole. */
export function Opener({ title, onOpen }: { title: string; onOpen: () => void }) {
  return (
    <button type="button" className={classes.opener} onClick={onOpen}>
      {title}
    </button>
  )
}
