import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconTestPipe } from '@tabler/icons-react'
import { useRef } from 'react'
import { useAddress } from '#base/address.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, KeysHint } from '#kit/Words.tsx'
import sharedClasses from './Laboratory.module.css'
import { Catalogue } from './newOrder/Catalogue.tsx'
import classes from './newOrder/newOrder.module.css'
import { OrderFields } from './newOrder/OrderFields.tsx'
import { Summary } from './newOrder/Summary.tsx'
import { readAddress, useNewOrder } from './newOrder/useNewOrder.ts'

const page = pageByKey('newLabOrder')

/** Новый заказ анализов: panels and tests, and the summary. */
export default function NewOrderPage() {
  const [from] = useAddress(readAddress)
  const { draft, set, chosen, tests, quote, place, toggle, lacks } = useNewOrder(from)
  const { idFilial } = draft
  const search = useRef<HTMLDivElement>(null)
  useHotkey('mod+enter', () => lacks === undefined && !place.isPending && place.mutate(false), {
    label: 'Оформить заказ',
    group: page.title,
  })
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <div className={sharedClasses.body}>
        <div className={classes.order}>
          <VStack gap={16} miw={0}>
            <OrderFields
              draft={draft}
              set={set}
              asksPatient={!from.customer}
              onPatient={(id) => {
                // The rest is known: the tests are next.
                if (id !== null && idFilial !== null) search.current?.querySelector('input')?.focus()
              }}
            />
            <div ref={search}>
              <Catalogue chosen={tests} onToggle={toggle} />
            </div>
          </VStack>
          <aside className={classes.summary} aria-label="Заказ">
            <h2 className={sharedClasses.panelTitle}>
              {counted(chosen.length, ['исследование', 'исследования', 'исследований'])}
            </h2>
            <Summary chosen={chosen} quote={quote} hasFilial={idFilial !== null} onRemove={toggle} />
            <VStack gap={8}>
              <ActionButton
                label={lacks ?? 'Оформить заказ'}
                icon={IconTestPipe}
                disabled={lacks !== undefined || quote.isError}
                loading={place.isPending}
                onClick={() => place.mutate(false)}
              />
              <ActionButton
                label="Сохранить черновиком"
                variant="default"
                disabled={lacks !== undefined || place.isPending}
                onClick={() => place.mutate(true)}
              />
              <Fine>
                <KeysHint>Ctrl+Enter — оформить. </KeysHint>Оплата — на странице заказа.
              </Fine>
            </VStack>
          </aside>
        </div>
      </div>
    </>
  )
}
