import type { PortalMe } from '@ordinator/model/areas/portal/shapes'
import { formatDay } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { type ReactNode, useState } from 'react'
import { ask } from './ask.ts'
import { Device } from './Device.tsx'
import { Friends } from './Friends.tsx'
import { Button, Loaded } from './parts.tsx'
import { Requests } from './Requests.tsx'
import { Sessions } from './Sessions.tsx'
import { useAsked } from './useAsked.ts'

/** Мои данные: data and consents of the patient. */
export function Data({
  me,
  patient,
  onLeave,
}: {
  me: PortalMe
  patient: number
  onLeave: (everywhere?: 'everywhere') => void
}) {
  const asked = useAsked((signal) => ask('GET /portal/data', { query: { patient } }, signal), `data ${patient}`)
  return (
    <>
      {me.isProven ? (
        <Loaded asked={asked}>
          {(data) => (
            <>
              <h2>{data.fio}</h2>
              <dl className="card facts">
                <Fact name="Дата рождения">{data.birthday && formatDay(data.birthday)}</Fact>
                <Fact name="Телефон">{data.phone && phoneText(data.phone)}</Fact>
                <Fact name="Электронная почта">{data.email}</Fact>
                <Fact name="Адрес">{data.address}</Fact>
                <Fact name="СНИЛС">{data.snils}</Fact>
                {data.policies.map(({ number, company, dateTo }) => (
                  <Fact key={number} name="Полис">
                    {[number, company, dateTo && `до ${formatDay(dateTo)}`].filter(Boolean).join(', ')}
                  </Fact>
                ))}
              </dl>
              <p className="quiet">Что-то неверно? Скажите в регистратуре: исправят в карте.</p>
              {me.hasFriends && patient === me.person.id && <Friends />}
              <Ways ways={data.ways} patient={patient} />
              <h2>Согласия</h2>
              {data.consents.length === 0 && <p className="quiet">Подписанных согласий нет.</p>}
              <ul className="list">
                {data.consents.map(({ name, status, signedOn, validTo }) => (
                  <li key={`${name}${signedOn}`} className="card">
                    <div className="head">
                      <strong>{name}</strong>
                      <span className="chip">{status}</span>
                    </div>
                    <p className="quiet">
                      {[signedOn && `Подписано ${formatDay(signedOn)}`, validTo && `действует до ${formatDay(validTo)}`]
                        .filter(Boolean)
                        .join(', ')}
                    </p>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Loaded>
      ) : (
        <p className="card">По этой ссылке видно только время визитов. Войдите по коду, чтобы увидеть свои данные.</p>
      )}
      {me.isProven && <Requests patient={patient} />}
      {!me.byLink && <Sessions />}
      <Device />
      <div className="steps leave">
        <Button tone="plain" onClick={() => onLeave()}>
          Выйти из кабинета
        </Button>
        <Button tone="plain" onClick={() => onLeave('everywhere')}>
          Выйти на всех устройствах
        </Button>
      </div>
    </>
  )
}

const wayNames = { messenger: 'В мессенджер', sms: 'СМС', email: 'На почту' } as const
type Way = keyof typeof wayNames

/** Channels of messages; saved at once. */
function Ways({ ways, patient }: { ways: Record<Way, boolean>; patient: number }) {
  const [now, setNow] = useState(ways)
  const [result, setResult] = useState<{ wrong?: string; kept?: true }>({})
  const change = async (way: Way, on: boolean) => {
    const next = { ...now, [way]: on }
    setNow(next)
    setResult({})
    try {
      await ask('PUT /portal/ways', { query: { patient }, body: next })
      setResult({ kept: true })
    } catch (error) {
      setNow(now)
      setResult({ wrong: (error as Error).message })
    }
  }
  return (
    <>
      <h2 id="ways">Чем вам писать</h2>
      <fieldset className="asks card" aria-labelledby="ways">
        {(Object.keys(wayNames) as Way[]).map((way) => (
          <label key={way} className="bill agree" htmlFor={`way-${way}`}>
            <input
              id={`way-${way}`}
              type="checkbox"
              checked={now[way]}
              onChange={(event) => void change(way, event.currentTarget.checked)}
            />
            <span>{wayNames[way]}</span>
          </label>
        ))}
        <p className={result.wrong ? 'wrong' : 'quiet'} role={result.wrong ? 'alert' : 'status'}>
          {result.wrong ?? (result.kept ? 'Сохранено' : 'О визитах и результатах. Коды для входа приходят всегда.')}
        </p>
      </fieldset>
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children || <span className="quiet">не указано</span>}</dd>
  </div>
)
