import type { PortalGood, PortalMe } from '@ordinator/model/areas/portal/shapes'
import { ask } from './ask.ts'
import { Empty, Field, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'
import { useWords } from './useWords.ts'

/** Link to the goods, if the clinic shows any. */
export const GoodsLink = ({ me }: { me: PortalMe }) =>
  me.hasGoods ? (
    <a className="button wide" data-tone="plain" href="#goods">
      Товары клиники
    </a>
  ) : null

/** Товары клиники: prices and stock. No ordering. */
export function Goods() {
  const { typed, setTyped, words } = useWords()
  const asked = useAsked(
    (signal) => ask('GET /portal/goods', { query: words ? { q: words } : {} }, signal),
    `goods ${words}`,
  )
  return (
    <>
      <p className="quiet">Товары не бронируются: купить их можно в клинике, пока они есть.</p>
      <Field label="Товар" type="search" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
      <Loaded asked={asked}>
        {({ items, isMore }) =>
          items.length === 0 ? (
            <Empty title="Ничего не нашлось">Попробуйте другие слова или позвоните в клинику.</Empty>
          ) : (
            <>
              <ul className="list">
                {items.map((good) => (
                  <Good key={good.id} good={good} />
                ))}
              </ul>
              {isMore && <p className="quiet">Это не всё: напишите название, чтобы найти другие.</p>}
            </>
          )
        }
      </Loaded>
    </>
  )
}

const Good = ({ good: { name, group, price, stock } }: { good: PortalGood }) => (
  <li className="card">
    <div className="head">
      <strong>{name}</strong>
      <span className="number">{price}</span>
    </div>
    {group && <p className="quiet">{group}</p>}
    {stock.length > 0 && (
      <dl className="stock">
        {stock.map(({ filial, text, isFree }) => (
          <div key={filial}>
            <dt>{filial}</dt>
            <dd data-free={isFree}>{text}</dd>
          </div>
        ))}
      </dl>
    )}
  </li>
)
