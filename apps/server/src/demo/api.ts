export { demoAnchor } from './anchor.ts'
