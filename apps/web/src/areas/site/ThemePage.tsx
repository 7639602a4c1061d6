import { Box } from '@mantine/core'
import { colourPairs, contrast, inkOn, READABLE, SiteTheme } from '@ordinator/model/areas/site/theme'
import type { Row } from '@ordinator/model/entity'
import { formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { useWatch } from 'react-hook-form'
import { PictureInput } from '#areas/files/index.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormPart } from '#kit/FormPart.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Tiles, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordForm } from '#records/RecordForm.tsx'
import { useList } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import classes from './Site.module.css'
import { SiteLink } from './SiteLink.tsx'

/** Оформление: theme of the site, shared data, address. */
export default function ThemePage() {
  const page = pageByKey('clientTheme')
  const found = useList(SiteTheme, { limit: 1 })
  const theme = found.data?.items[0]
  return (
    <>
      <PageHead title={page.title} help={page.help} actions={<SiteLink />}>
        <FamilyTabs page={page} />
      </PageHead>
      <Box px="var(--ord-page)" pt={16} pb={32} maw={1000}>
        {found.isPending && <LinesSkeleton lines={8} />}
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {theme && (
          <RecordForm
            entity={SiteTheme}
            record={theme}
            onSaved={() => notify.success('Оформление сохранено: посетители увидят его в течение минуты')}
          >
            <VStack gap={16}>
              <FormPart title="На каждой странице">
                <RecordField name="name" />
                <RecordField name="tagline" />
                <RecordField name="phone" />
                <RecordField name="footer" />
                <RecordField name="idLogo" input={PictureInput} />
              </FormPart>
              <FormPart title="Шрифт и форма">
                <RecordField name="font" />
                <RecordField name="radius" />
              </FormPart>
              <FormPart title="Светлая тема">
                {light.map((name) => (
                  <RecordField key={name} name={name} />
                ))}
              </FormPart>
              <Swatch names={light} label="Образец светлой темы" />
              <FormPart title="Тёмная тема">
                <RecordField name="hasDark" />
                {dark.map((name) => (
                  <RecordField key={name} name={name} />
                ))}
              </FormPart>
              <Swatch names={dark} label="Образец тёмной темы" />
              <FormPart title="Где стоит и куда приходят заявки">
                <RecordField name="isActive" />
                <RecordField name="host" />
                <RecordField name="idIntake" />
              </FormPart>
            </VStack>
          </RecordForm>
        )}
      </Box>
    </>
  )
}

type Colour = keyof Row<typeof SiteTheme> &
  ('accent' | 'background' | 'surface' | 'ink' | 'darkAccent' | 'darkBackground' | 'darkSurface' | 'darkInk')
const light: readonly Colour[] = ['accent', 'background', 'surface', 'ink']
const dark: readonly Colour[] = ['darkAccent', 'darkBackground', 'darkSurface', 'darkInk']
const isColour = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

/** Colour pairs with their contrast. */
function Swatch({ names, label }: { names: readonly Colour[]; label: string }) {
  const chosen = useWatch({ name: [...names] }) as unknown[]
  if (!chosen.every(isColour)) return null
  const colours = Object.fromEntries(names.map((name, at) => [name, chosen[at] as string])) as Record<Colour, string>
  const [accent = '', background = '', surface = '', ink = ''] = chosen as string[]
  return (
    <section aria-label={label}>
      <div className={classes.swatch} style={{ background, color: ink }}>
        <strong>Заголовок страницы</strong>
        <div>
          Текст и <span style={{ color: accent, textDecoration: 'underline' }}>ссылка</span>
        </div>
        <div className={classes.sample} style={{ background: surface }}>
          Карточка со <span style={{ color: accent, textDecoration: 'underline' }}>ссылкой</span>{' '}
          <span style={{ background: accent, color: inkOn(accent), padding: '4px 10px', borderRadius: 6 }}>Кнопка</span>
        </div>
      </div>
      <Tiles tile={220} fit gap="4px 16px" mt={8}>
        {colourPairs
          .filter(([front]) => names.includes(front as Colour))
          .map(([front, back, words]) => {
            const is = contrast(colours[front], colours[back])
            return (
              <Fine key={front + back} c={is < READABLE ? 'var(--mantine-color-error)' : undefined}>
                {words}: {formatNumber(is, 1)}
                {is < READABLE && ', не прочитать'}
              </Fine>
            )
          })}
      </Tiles>
    </section>
  )
}
