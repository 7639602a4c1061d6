import {
  Alert,
  Badge,
  Button,
  CloseButton,
  type CSSVariablesResolver,
  createTheme,
  defaultOptionsFilter,
  type MantineColorsTuple,
  type OptionsFilter,
} from '@mantine/core'
import { byMatch } from '#kit/byMatch.ts'

/** Colours, typography, radii and spacing of the product: the only place that defines them. */

const teal: MantineColorsTuple = [
  '#edf7f6',
  '#d6edea',
  '#aedbd6',
  '#82c8c0',
  '#56b3a9',
  '#349c92',
  '#1f897f',
  '#128075',
  '#0b7a70',
  '#07564f',
]

const gray: MantineColorsTuple = [
  '#f7f9f9',
  '#f0f3f3',
  '#e5e9e9',
  '#d6dcdc',
  '#bcc5c5',
  '#97a3a3',
  '#667373',
  '#546060',
  '#3a4444',
  '#222a2a',
]

const dark: MantineColorsTuple = [
  '#dbe1e1',
  '#bcc6c6',
  '#9eaaaa',
  '#7d8989',
  '#3f4949',
  '#323b3b',
  '#262e2e',
  '#191f1f',
  '#141919',
  '#0f1313',
]

/** Sorts options by how well they match, within groups too; the group with the best match comes first. */
const filter = ({ options, search, limit }: Parameters<OptionsFilter>[0]) => {
  const found = defaultOptionsFilter({ options, search, limit: Number.POSITIVE_INFINITY }).map((option) =>
    'group' in option ? { ...option, items: byMatch(option.items, search, ({ label }) => label) } : option,
  )
  return byMatch(found, search, (one) => ('group' in one ? one.items[0]?.label : one.label) ?? '').slice(0, limit)
}

/** Enter selects the best match. */
const choice = {
  filter,
  selectFirstOptionOnChange: true,
  nothingFoundMessage: 'Совпадений не найдено',
  clearButtonProps: { 'aria-label': 'Очистить' },
}

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: 8,
  colors: { teal, gray, dark },
  black: '#1b2323',
  fontFamily: "'Inter Variable', -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.3334', sm: '1.4286', md: '1.4286', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontWeights: { regular: '400', medium: '550', bold: '650' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
      h4: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  components: {
    Portal: { defaultProps: { target: '#overlays' } },
    // The help text is below the input.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // Mantine's own yellow has too little contrast on white.
    Button: Button.extend({
      vars: (_, { color, variant, size }) => ({
        root: {
          ...(color === 'yellow' && variant === 'light' ? { '--button-color': 'var(--ord-warning)' } : {}),
          ...(size === 'compact-xs' ? { '--button-height': '24px' } : {}),
        },
      }),
    }),
    // Touch target, in fields and chips too.
    CloseButton: CloseButton.extend({
      vars: (_, { size }) => ({ root: size === 'xs' || size === 'sm' ? { '--cb-size': '24px' } : {} }),
    }),
    Alert: Alert.extend({
      vars: (_, { color }) => ({ root: color === 'yellow' ? { '--alert-color': 'var(--ord-warning)' } : {} }),
    }),
    Badge: Badge.extend({
      defaultProps: { tt: 'none', fw: 500, variant: 'light' },
      vars: (_, { color, variant }) => ({
        root: color === 'yellow' && variant === 'light' ? { '--badge-color': 'var(--ord-warning)' } : {},
        dot: {},
      }),
    }),
    Tooltip: { defaultProps: { withArrow: true, openDelay: 400, multiline: true, maw: 468 } },
    Modal: {
      defaultProps: {
        centered: true,
        // The same as lists and menus, so that the later one is on top.
        zIndex: 300,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Закрыть' },
      },
      styles: { title: { fontSize: 16, fontWeight: 600 } },
    },
    Drawer: {
      defaultProps: { overlayProps: { backgroundOpacity: 0.45 }, closeButtonProps: { 'aria-label': 'Закрыть' } },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Закрыть уведомление' } } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Показать или скрыть пароль' } } },
    Menu: { defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { shadow: 'md' } },
    // Selecting the selected option again does not clear it; clearable fields have a button for that.
    Select: { defaultProps: { ...choice, allowDeselect: false } },
    MultiSelect: { defaultProps: choice },
    TagsInput: { defaultProps: { clearButtonProps: { 'aria-label': 'Очистить' } } },
    Loader: { defaultProps: { 'aria-label': 'Загрузка' } },
  },
})

/** Darkens Mantine's pale text colours, so that all text has a contrast of 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-error': '#c2222c',
    '--mantine-color-success': 'var(--ord-online)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-3)',
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-6)',
    '--ord-canvas': 'var(--mantine-color-gray-0)',
    '--ord-surface': 'var(--mantine-color-white)',
    '--ord-border': 'var(--mantine-color-gray-2)',
    '--ord-hover': 'var(--mantine-color-gray-1)',
    '--ord-selected': 'var(--mantine-color-teal-0)',
    '--ord-selected-text': 'var(--mantine-color-teal-9)',
    '--ord-online': '#15803d',
    '--ord-warning': '#a15c07',
  },
  dark: {
    '--mantine-color-error': '#ff8a8a',
    '--mantine-color-success': 'var(--ord-online)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-2)',
    '--ord-canvas': 'var(--mantine-color-dark-8)',
    '--ord-surface': 'var(--mantine-color-dark-7)',
    '--ord-border': 'var(--mantine-color-dark-5)',
    '--ord-hover': 'var(--mantine-color-dark-6)',
    '--ord-selected': '#12332f',
    '--ord-selected-text': 'var(--mantine-color-teal-2)',
    '--ord-online': '#4ade80',
    '--ord-warning': '#f5b95c',
  },
})
