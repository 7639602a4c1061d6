import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The patients' program: apart from that of the staff, of which it takes nothing. */
export default defineConfig({
  base: '/portal/files/',
  publicDir: 'src/areas/portal/public',
  plugins: [react()],
  build: {
    outDir: 'dist-portal',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A policy without data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'portal.html' },
  },
})
