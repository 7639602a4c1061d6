import listClasses from '../list.module.css'
import classes from './composer.module.css'
import type { Offer } from './useOffers.ts'

interface Props {
  id: string
  label: string
  offers: readonly Offer[]
  chosen: number
  /** Further fitting replies. */
  more: number
  idOf: (offer: Offer) => string
}

/** Offers above the composer; the field keeps the focus. */
export const OfferList = ({ id, label, offers, chosen, more, idOf }: Props) =>
  offers.length > 0 && (
    <div className={classes.offers} role="listbox" aria-label={label} id={id}>
      {offers.map((one, at) => (
        <button
          key={one.id}
          id={idOf(one)}
          type="button"
          role="option"
          aria-selected={at === chosen}
          tabIndex={-1}
          className={classes.offer}
          onMouseDown={(event) => event.preventDefault()}
          onClick={one.take}
        >
          <strong>{one.mark}</strong> {one.name}
          <span className={listClasses.last}>{one.text}</span>
        </button>
      ))}
      {more > 0 && <p className={classes.moreOffers}>и ещё {more}: наберите точнее</p>}
    </div>
  )
