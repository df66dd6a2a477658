// choicetui: Cline's model asks without Cline asking you first. `choicetui setup cline` put this file here and
// `choicetui setup --remove cline` takes it away.
//
// Cline runs `beforeTool` before each call of a tool, and looks at its own approvals after that. Nothing is said about
// any tool but those of choicetui, which only ask.
export default {
  name: "choicetui",
  manifest: { capabilities: ["hooks"] },
  hooks: {
    beforeTool(call) {
      if (call?.toolCall?.toolName?.startsWith("choicetui__")) return { policy: { autoApprove: true } };
    },
  },
};
