import js from '@eslint/js';

// Names and types are left to tsc, which knows more of them.
export default [
  {ignores: ['test/**', 'build/**']},
  js.configs.recommended,
  {
    linterOptions: {reportUnusedDisableDirectives: 'error'},
    rules: {
      'no-undef': 'off',
      'no-unused-vars': 'off',
      'eqeqeq': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-useless-return': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': ['error', {destructuring: 'all'}],
      'no-restricted-properties': ['error', ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write', 'srcdoc'].map(
        (property) => ({property, message: 'Text of a trace must not become markup.'}))],
      'no-restricted-syntax': ['error', {
        selector: 'AssignmentExpression > MemberExpression.left[object.name=/^(globalThis|window|self)$/][property.name!="informerscope"]',
        message: 'The project has one global, informerscope.',
      }, {
        selector: 'NewExpression[callee.name=/^(Worker|SharedWorker)$/]:not([arguments.0.callee.name="script"])',
        message: 'Workers are started by start() of page/workers.js.',
      }],
    },
  },
];
