import { formatDay, formatNumber } from '@ordinator/model/format'
import { ask } from './ask.ts'
import { Button, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'

/** Приведи друга: the link with its QR, what both get, and what came of it. */
export function Friends() {
  const asked = useAsked((signal) => ask('GET /portal/friends', undefined, signal), 'friends')
  const share = (url: string) =>
    navigator.share({ url, text: 'Запишитесь в мою клинику по этой ссылке' }).catch(() => {})
  return (
    <Loaded asked={asked}>
      {({ url, code, reward, gift, mostInYear, friends }) => (
        <section className="card friends" aria-label="Приведи друга">
          <h2>Приведи друга</h2>
          <p>{wordsOf(reward, gift)}</p>
          <img src="/portal/friends/qr" alt={`QR-код вашей ссылки, код ${code}`} width={180} height={180} />
          <p className="code">{code}</p>
          <p className="link">{url}</p>
          {typeof navigator.share === 'function' && (
            <div className="row">
              <Button onClick={() => void share(url)}>Поделиться ссылкой</Button>
            </div>
          )}
          <p className="quiet">Друг раньше у нас не бывал. Не больше {mostInYear} друзей в год.</p>
          {friends.length > 0 && (
            <ul className="facts">
              {friends.map(({ state, sum, day }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list is only read anew as a whole
                <li key={at}>
                  {formatDay(day)}: {state.toLowerCase()}
                  {sum !== null && sum > 0 && `, ${formatNumber(sum)}`}
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </Loaded>
  )
}

/** «Вам 500 бонусов и другу 300, когда он оплатит первый визит» */
function wordsOf(reward: number, gift: number): string {
  const both = [reward > 0 && `вам ${formatNumber(reward)}`, gift > 0 && `другу ${formatNumber(gift)}`]
  const words = both.filter((one) => one !== false).join(' и ')
  return `${words.charAt(0).toLocaleUpperCase('ru')}${words.slice(1)} бонусов, когда друг оплатит свой первый визит.`
}
