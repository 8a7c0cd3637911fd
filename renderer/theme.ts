import { createTheme, type MantineColorsTuple } from '@mantine/core';

const accent: MantineColorsTuple = ['#e6f4f2', '#d3ebe8', '#a9d8d2', '#7cc4bc', '#3fb8a9', '#26998c', '#178479', '#0f766e', '#0b625b', '#074d48'];

/** Our colours and measures in the words of the component library; the colours of both schemes stand in `ui/tokens.css`. */
export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  fontFamily: 'var(--hf-font)',
  fontFamilyMonospace: 'var(--hf-mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '19px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  defaultRadius: 7,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs', variant: 'default' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, multiline: true, maw: 320, events: { hover: true, focus: true, touch: false } } },
    // Locking the page's scrolling would need a style element of its own; the page itself never scrolls.
    Modal: { defaultProps: { lockScroll: false, centered: true } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-start' } },
  },
});
