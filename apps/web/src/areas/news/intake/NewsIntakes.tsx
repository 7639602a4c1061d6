import { Code } from '@mantine/core'
import { NewsIntake } from '@ordinator/model/areas/news/news'
import { CopyField } from '#kit/CopyField.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { IntakesPanel } from '#records/intake/IntakesPanel.tsx'
import { WebhookSecret } from '#records/intake/WebhookSecret.tsx'
import { SourceMark } from '../SourceMark.tsx'
import classes from './NewsIntakes.module.css'

const fields = ['name', 'source', 'isActive', 'publish']

/** Intakes of news from outside sources. */
export function NewsIntakes({ onClose }: { onClose: () => void }) {
  return (
    <IntakesPanel
      entity={NewsIntake}
      title="Приём новостей"
      empty="Заведите приём для ВКонтакте, Telegram или сайта — и их новости будут приходить сами."
      fields={fields}
      about={({ source, publish }) => (
        <HStack component="span" gap="4px 12px" wrap display="inline-flex">
          <SourceMark source={source} /> {publish ? 'публикуются сразу' : 'ждут публикации'}
        </HStack>
      )}
      onClose={onClose}
    >
      {(intake) => {
        const address = `${location.origin}/news/intake/${intake.key}`
        return (
          <>
            <CopyField label="Адрес для отправки" value={address} />
            <WebhookSecret entity={NewsIntake} intake={intake}>
              <details className={classes.example}>
                <summary>Как отправить новость</summary>
                <p>
                  Тело запроса подписывается секретом. Номер <Code>id</Code> — номер записи у источника: повтор с тем же
                  номером ничего не меняет. Время <Code>timestamp</Code> — в секундах, не дальше 10 минут от нынешнего.
                </p>
                <Code block tabIndex={0} aria-label="Пример запроса">
                  {exampleOf(address)}
                </Code>
              </details>
            </WebhookSecret>
          </>
        )
      }}
    </IntakesPanel>
  )
}

const exampleOf = (address: string) => `BODY='{"id":"wall-1_25","timestamp":'$(date +%s)',
  "title":"День открытых дверей","text":"<p>Ждём вас в субботу</p>",
  "images":[{"url":"https://example.ru/photo.jpg"}]}'
SIGN=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')
curl "${address}" -H "X-Signature: sha256=$SIGN" \\
  -H "Content-Type: application/json" --data-binary "$BODY"`
