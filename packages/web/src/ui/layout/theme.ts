import { createTheme, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eef1ff',
  '#dce1fb',
  '#b7c0f2',
  '#909dea',
  '#6f7fe3',
  '#5a6cdf',
  '#4b5cd6',
  '#3d4cbf',
  '#3443ab',
  '#293797',
]
const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f6',
  '#e6e9ee',
  '#d9dde4',
  '#c3c9d2',
  '#9aa3b0',
  '#69727f',
  '#4a525e',
  '#323842',
  '#1d2127',
]
const dark: MantineColorsTuple = [
  '#dfe2e8',
  '#b9bfc9',
  '#9aa1ae',
  '#6c7482',
  '#454c59',
  '#343a45',
  '#272c35',
  '#1d2129',
  '#171a21',
  '#111319',
]

// The wheel does not scroll the page when the list has reached its end.
const SCROLLING_LIST = { options: { maxHeight: 260, overflowY: 'auto', overscrollBehavior: 'contain' } } as const

/** The whole look: colours, spacing and radii come from here. The layout is dense: rows of 38 px, controls of 32 px. */
export const theme = createTheme({
  black: '#1d2127',
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  colors: { accent, gray, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, 'JetBrains Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1rem' } } },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // All layers have the same z-index, so a layer that opens later lies above. `#dialogs` lies above them all, because
    // it is the last element in the document.
    Portal: { defaultProps: { target: '#layers' } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Table: { defaultProps: { verticalSpacing: 0, highlightOnHover: true } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    // Mantine's hidden placeholder element is not allowed as a child of role="menu".
    Menu: { defaultProps: { zIndex: 1055, shadow: 'md', withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { zIndex: 1055, shadow: 'md' } },
    Combobox: { defaultProps: { zIndex: 1055, shadow: 'md' } },
    // The list itself scrolls. A scroll area inside of it would have to be a tab stop.
    Select: { defaultProps: { withScrollArea: false }, styles: SCROLLING_LIST },
    MultiSelect: { defaultProps: { withScrollArea: false }, styles: SCROLLING_LIST },
    Modal: { defaultProps: { zIndex: 1055, centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Alert: { defaultProps: { variant: 'light' } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})

/** A red on which white text can be read in both themes. */
export const DANGER = 'red.8'
